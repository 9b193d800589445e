-- Tenants that were deleted, until nothing of them is left here or in the vault. A row is written with the deletion, and is
-- never removed: it holds the certificate.
CREATE TABLE tenant_erasure (
  tenant_id       uuid        PRIMARY KEY,
  -- The application that asked for it; null: an operator, on the command line.
  requested_by    uuid,
  requested_at    timestamptz NOT NULL DEFAULT now(),
  -- What the tenant had, by whose ids other services keep something in Redis.
  application_ids uuid[]      NOT NULL,
  owner_ids       uuid[]      NOT NULL,
  -- How many rows of which kind were erased so far.
  erased          jsonb       NOT NULL,
  -- Nothing is left here but the log.
  ended_at        timestamptz,
  -- By the vault, which signs it: JSON.
  certificate     json
);

CREATE INDEX tenant_erasure_unfinished ON tenant_erasure (requested_at) WHERE certificate IS NULL;
CREATE INDEX idempotency_record_tenant ON idempotency_record (tenant_id);
