-- Row-level security: a role that does not own these tables sees rows of the tenants in its scope only, and without a
-- scope none. A transaction sets one: `glovebox.tenants`, an array of ids, or `glovebox.across_tenants`, the name of
-- work on rows of all tenants. Both are read once for a statement. The owner sees everything: migrations run as it, and
-- so do control-apis of the version before.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['applications', 'proxies', 'reactor_formulas', 'reactors', 'tenant_invitations',
                              'idempotency_record', 'webhook_lists', 'webhooks', 'logs', 'operation_count',
                              'tenant_erasure'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      $policy$CREATE POLICY in_scope ON %I USING (
        tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
        OR (SELECT current_setting('glovebox.across_tenants', true) <> ''))$policy$, name);
  END LOOP;
END
$$;

ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON tenants USING (
  id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
  OR (SELECT current_setting('glovebox.across_tenants', true) <> ''));

-- A key belongs to an application, whose policy decides.
ALTER TABLE application_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON application_keys USING (
  EXISTS (SELECT 1 FROM applications WHERE applications.id = application_id));
