-- Row-level security: a role that does not own these tables sees rows of the tenants in its scope only, and without a
-- scope none. A transaction sets one: `glovebox.tenants`, an array of ids, or `glovebox.across_tenants`, the name of
-- work on rows of all tenants. Both are read once for a statement. The owner sees everything: migrations run as it, and
-- so do vaults of the version before.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['token', 'tenant_key', 'audit', 'token_association', 'idempotency_record', 'token_activity',
                              'key_rotation', 'client_key', 'operation_count'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      $policy$CREATE POLICY in_scope ON %I USING (
        tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
        OR (SELECT current_setting('glovebox.across_tenants', true) <> ''))$policy$, name);
  END LOOP;
END
$$;

-- Below a policy, an index serves only operators that are marked as leakproof, and those of GIN are not, nor are the
-- functions of an expression. So searches read these views. They belong to the owner, and hold the same condition.
CREATE VIEW searchable_token AS
  SELECT tenant_id, id, type, container, metadata, fingerprint, search_hashes, expires_at, created_by, created_at,
         modified_by, modified_at
    FROM token
   WHERE tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
      OR (SELECT current_setting('glovebox.across_tenants', true) <> '');

CREATE VIEW searchable_audit AS
  SELECT id, at, tenant_id, application_id, operation, token_id, outcome, reason, purpose, purpose_id, correlation_id,
         rule, destination, client_address
    FROM audit
   WHERE tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
      OR (SELECT current_setting('glovebox.across_tenants', true) <> '');

-- Rows of the log go only here, so the role of a vault needs no right to delete them.
ALTER FUNCTION purge_sealed_audit(bigint, timestamptz, bytea) SECURITY DEFINER SET search_path FROM CURRENT;
REVOKE EXECUTE ON FUNCTION purge_sealed_audit(bigint, timestamptz, bytea) FROM PUBLIC;
