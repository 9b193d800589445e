-- What was answered to a write with an idempotency key, sealed; no answer: it was too large to be kept. The scope is a
-- SHA-256 over tenant, application, operation, what it is about, and key.
CREATE TABLE idempotency_record (
  scope      bytea       PRIMARY KEY,
  tenant_id  uuid        NOT NULL,
  answer     bytea,
  expires_at timestamptz NOT NULL
);

CREATE INDEX idempotency_record_expires_at ON idempotency_record (expires_at);
