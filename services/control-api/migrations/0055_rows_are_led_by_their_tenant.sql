-- Every primary key, unique index and foreign key of rows of tenants begins with the tenant, so that a database may spread
-- rows by it. What the release before needs stays (test/tenant-led.it.test.ts): it names versions, rollouts and answers
-- without the tenant where they conflict. Ids and hashes are found by indexes that are not unique: they are random.

-- Rows that belong to another row get the tenant of that. The release before writes none: a trigger does.
CREATE FUNCTION take_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT tenant_id FROM %I WHERE id = $1', TG_ARGV[0])
     INTO NEW.tenant_id USING (to_jsonb(NEW) ->> TG_ARGV[1])::uuid;
  RETURN NEW;
END
$$;

-- Foreign keys first: they hold the primary keys.
ALTER TABLE console_sessions DROP CONSTRAINT console_sessions_key;
ALTER TABLE application_keys DROP CONSTRAINT application_keys_application_id_fkey;
ALTER TABLE reactors DROP CONSTRAINT reactors_formula;
ALTER TABLE proxy_versions DROP CONSTRAINT proxy_versions_proxy;
ALTER TABLE reactor_versions DROP CONSTRAINT reactor_versions_reactor;
ALTER TABLE reactor_formula_versions DROP CONSTRAINT reactor_formula_versions_formula;
ALTER TABLE proxy_rollouts DROP CONSTRAINT proxy_rollouts_proxy;
ALTER TABLE reactor_rollouts DROP CONSTRAINT reactor_rollouts_reactor;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['applications', 'proxies', 'reactor_formulas', 'reactors', 'tenant_invitations', 'webhooks'] LOOP
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I, ADD PRIMARY KEY (tenant_id, id)', name, name || '_pkey');
    EXECUTE format('CREATE INDEX %I ON %I (id)', name || '_id', name);
  END LOOP;
END
$$;

ALTER TABLE proxies DROP CONSTRAINT proxies_key_hash_key, ADD UNIQUE (tenant_id, key_hash);
ALTER TABLE reactors ADD CONSTRAINT reactors_formula
  FOREIGN KEY (tenant_id, formula_id) REFERENCES reactor_formulas (tenant_id, id);

DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT * FROM (VALUES
    ('application_keys', 'application_id', 'applications', 'application_keys_application', 'key_hash'),
    ('proxy_versions', 'resource_id', 'proxies', 'proxy_versions_proxy', 'resource_id, version'),
    ('reactor_versions', 'resource_id', 'reactors', 'reactor_versions_reactor', 'resource_id, version'),
    ('reactor_formula_versions', 'resource_id', 'reactor_formulas', 'reactor_formula_versions_formula', 'resource_id, version'),
    ('proxy_rollouts', 'resource_id', 'proxies', 'proxy_rollouts_proxy', 'resource_id'),
    ('reactor_rollouts', 'resource_id', 'reactors', 'reactor_rollouts_reactor', 'resource_id'))
    AS t (name, parent_id, parent, reference, key) LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN tenant_id uuid', one.name);
    EXECUTE format('UPDATE %I AS c SET tenant_id = p.tenant_id FROM %I AS p WHERE p.id = c.%I',
                   one.name, one.parent, one.parent_id);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN tenant_id SET NOT NULL, DROP CONSTRAINT %I, ADD PRIMARY KEY (tenant_id, %s),
                      ADD CONSTRAINT %I FOREIGN KEY (tenant_id, %I) REFERENCES %I (tenant_id, id) ON DELETE CASCADE',
                   one.name, one.name || '_pkey', one.key, one.reference, one.parent_id, one.parent);
    EXECUTE format('CREATE TRIGGER tenant_of_its_parent BEFORE INSERT ON %I FOR EACH ROW WHEN (NEW.tenant_id IS NULL)
                      EXECUTE FUNCTION take_tenant(%L, %L)', one.name, one.parent, one.parent_id);
    EXECUTE format('DROP POLICY in_scope ON %I', one.name);
    EXECUTE format(
      $policy$CREATE POLICY in_scope ON %I USING (
        tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
        OR (SELECT current_setting('glovebox.across_tenants', true) <> ''))$policy$, one.name);
  END LOOP;
END
$$;

-- By their hashes and ids, without the tenant: who sends a key has not named one.
CREATE INDEX application_keys_hash ON application_keys (key_hash);
DROP INDEX application_keys_id;
CREATE UNIQUE INDEX application_keys_id ON application_keys (tenant_id, id);
CREATE INDEX application_keys_by_id ON application_keys (id);

-- Of the release before, until none of it runs.
CREATE UNIQUE INDEX proxy_versions_of ON proxy_versions (resource_id, version);
CREATE UNIQUE INDEX reactor_versions_of ON reactor_versions (resource_id, version);
CREATE UNIQUE INDEX reactor_formula_versions_of ON reactor_formula_versions (resource_id, version);
CREATE UNIQUE INDEX proxy_rollouts_of ON proxy_rollouts (resource_id);
CREATE UNIQUE INDEX reactor_rollouts_of ON reactor_rollouts (resource_id);

ALTER TABLE console_sessions
  DROP CONSTRAINT console_sessions_pkey,
  ADD PRIMARY KEY (tenant_id, id_hash),
  ADD CONSTRAINT console_sessions_key FOREIGN KEY (tenant_id, key_hash) REFERENCES application_keys (tenant_id, key_hash)
    ON DELETE CASCADE;
CREATE INDEX console_sessions_id ON console_sessions (id_hash);

ALTER TABLE idempotency_record DROP CONSTRAINT idempotency_record_pkey, ADD PRIMARY KEY (tenant_id, scope);
CREATE UNIQUE INDEX idempotency_record_scope ON idempotency_record (scope);
DROP INDEX idempotency_record_tenant;
