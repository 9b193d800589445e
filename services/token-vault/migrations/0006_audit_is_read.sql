-- Tenants read their audit log, newest first: all of it, and that of one token or session.
CREATE INDEX audit_newest ON audit (tenant_id, at DESC, id DESC);
CREATE INDEX audit_token ON audit (tenant_id, token_id, at DESC, id DESC) WHERE token_id IS NOT NULL;
CREATE INDEX audit_session ON audit (tenant_id, purpose_id, at DESC, id DESC) WHERE purpose = 'session';
DROP INDEX audit_tenant_at;

-- What an operator does not keep any longer is removed by purge_audit, and by nothing else.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('vault.purges_audit', true) = 'yes' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'audit rows are append-only';
END
$$;

-- Removes rows from before a moment, of the `most` oldest; gives how many it removed.
CREATE FUNCTION purge_audit(before timestamptz, most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE removed integer;
BEGIN
  PERFORM set_config('vault.purges_audit', 'yes', true);
  WITH oldest AS (SELECT id, at FROM audit ORDER BY id LIMIT most)
  DELETE FROM audit USING oldest WHERE audit.id = oldest.id AND oldest.at < before;
  GET DIAGNOSTICS removed = ROW_COUNT;
  PERFORM set_config('vault.purges_audit', 'no', true);
  RETURN removed;
END
$$;
