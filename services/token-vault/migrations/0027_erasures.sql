-- no transaction: vaults of the version before keep answers while the index on them is built.

-- Tenants whose keys were destroyed. A row is never removed: it holds the certificate, and keeps the tenant from getting
-- new keys. requested_by: an application; null: an operator, on the command line. destroyed_keys: of each key its kind,
-- version and time of creation, and the key-encryption keys that have wrapped it. application_ids: by which counts are in
-- Redis. erased: how many rows of which kind so far. certificate: once nothing of the tenant is left in either database.
CREATE TABLE IF NOT EXISTS tenant_erasure (
  tenant_id         uuid        PRIMARY KEY,
  requested_by      uuid,
  requested_at      timestamptz NOT NULL,
  keys_destroyed_at timestamptz NOT NULL,
  destroyed_keys    jsonb       NOT NULL,
  application_ids   uuid[]      NOT NULL,
  erased            jsonb       NOT NULL DEFAULT '{}',
  rows_erased_at    timestamptz,
  certificate       json
);

CREATE INDEX IF NOT EXISTS tenant_erasure_newest ON tenant_erasure (keys_destroyed_at);
CREATE INDEX IF NOT EXISTS tenant_erasure_unfinished ON tenant_erasure (keys_destroyed_at) WHERE rows_erased_at IS NULL;
CREATE INDEX IF NOT EXISTS tenant_erasure_uncertified ON tenant_erasure (requested_at) WHERE certificate IS NULL;

-- As 0028_rows_belong_to_tenants.sql has it for the other tables.
ALTER TABLE tenant_erasure ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS in_scope ON tenant_erasure;
CREATE POLICY in_scope ON tenant_erasure USING (
  tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
  OR (SELECT current_setting('glovebox.across_tenants', true) <> ''));

-- An erased tenant gets no new key, whichever version of the vault asks for one. The lock is that of the erasure
-- (store/erasures.ts): a key that comes while it runs is refused after it.
CREATE OR REPLACE FUNCTION refuse_key_of_erased_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(4714, hashtext(NEW.tenant_id::text)); -- until the erasure has ended
  IF EXISTS (SELECT 1 FROM tenant_erasure WHERE tenant_id = NEW.tenant_id) THEN RETURN NULL; END IF; -- not inserted
  RETURN NEW; -- no erasure
END $$;

CREATE OR REPLACE TRIGGER tenant_key_of_erased_tenant
  BEFORE INSERT ON tenant_key
  FOR EACH ROW EXECUTE FUNCTION refuse_key_of_erased_tenant();

-- Key-encryption keys that a key was wrapped under before: backups of those times hold it so. What was before this
-- migration is not known.
ALTER TABLE tenant_key ADD COLUMN IF NOT EXISTS earlier_key_ids text[] NOT NULL DEFAULT '{unknown}';
ALTER TABLE tenant_key ALTER COLUMN earlier_key_ids SET DEFAULT '{}';

CREATE OR REPLACE FUNCTION keep_earlier_key_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.earlier_key_ids := array_append(array_remove(OLD.earlier_key_ids, OLD.key_id), OLD.key_id); -- each once
  RETURN NEW; -- with it
END $$;

CREATE OR REPLACE TRIGGER tenant_key_was_rewrapped
  BEFORE UPDATE ON tenant_key
  FOR EACH ROW WHEN (OLD.key_id <> NEW.key_id) EXECUTE FUNCTION keep_earlier_key_id();

DROP INDEX CONCURRENTLY IF EXISTS idempotency_record_tenant;
CREATE INDEX CONCURRENTLY idempotency_record_tenant ON idempotency_record (tenant_id);
