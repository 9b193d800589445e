ALTER TABLE idempotency_record
  DROP CONSTRAINT idempotency_record_pkey,
  ADD CONSTRAINT idempotency_record_pkey PRIMARY KEY USING INDEX idempotency_record_by_tenant;
DROP INDEX idempotency_record_tenant;
