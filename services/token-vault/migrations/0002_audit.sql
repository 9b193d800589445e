-- One row per decision on a token, written before anything of the token leaves. Never a value, never a key.
CREATE TABLE audit (
  id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at             timestamptz NOT NULL DEFAULT now(),
  tenant_id      uuid        NOT NULL,
  -- Null: the vault itself.
  application_id uuid,
  operation      text        NOT NULL,
  -- Null: the decision is about no token of this tenant. An id that names none is not kept: it could be anything.
  token_id       text,
  outcome        text        NOT NULL CHECK (outcome IN ('allowed', 'denied')),
  -- Why it was denied.
  reason         text,
  -- How the data was shown: reveal, mask or redact.
  view           text,
  purpose        text,
  purpose_id     text,
  correlation_id text
);

CREATE INDEX audit_tenant_at ON audit (tenant_id, at);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit rows are append-only';
END
$$;

CREATE TRIGGER audit_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
