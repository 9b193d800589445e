-- The key of the seals below, wrapped as data keys are.
CREATE TABLE audit_key (
  only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  key_id     text        NOT NULL,
  wrapped    bytea       NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The audit log in ranges that follow upon each other, each with a keyed digest over its rows and the previous range.
CREATE TABLE audit_seal (
  number       bigint      PRIMARY KEY,
  -- Rows with after_id < id <= last_id.
  after_id     bigint      NOT NULL,
  last_id      bigint      NOT NULL,
  row_count    integer     NOT NULL,
  newest_at    timestamptz NOT NULL,
  rows_digest  bytea       NOT NULL,
  digest       bytea       NOT NULL,
  sealed_at    timestamptz NOT NULL DEFAULT now(),
  -- Its rows were removed, by who has the key.
  purged_at    timestamptz,
  purge_digest bytea
);

CREATE INDEX audit_seal_kept ON audit_seal (newest_at) WHERE purged_at IS NULL;

-- Rows are removed by whole ranges, with a proof that it was the vault.
CREATE FUNCTION purge_sealed_audit(seal bigint, at timestamptz, proof bytea) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  bounds audit_seal;
  removed integer;
BEGIN
  UPDATE audit_seal SET purged_at = purge_sealed_audit.at, purge_digest = proof
   WHERE number = seal AND purged_at IS NULL RETURNING * INTO bounds;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM set_config('vault.purges_audit', 'yes', true);
  DELETE FROM audit WHERE id > bounds.after_id AND id <= bounds.last_id;
  GET DIAGNOSTICS removed = ROW_COUNT;
  PERFORM set_config('vault.purges_audit', 'no', true);
  RETURN removed;
END
$$;

-- Vaults that are a version behind leave the purge to the others.
CREATE OR REPLACE FUNCTION purge_audit(before timestamptz, most integer) RETURNS integer
  LANGUAGE sql RETURN 0;
