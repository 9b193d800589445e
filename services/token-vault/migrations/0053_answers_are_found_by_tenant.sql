-- no transaction: vaults of the version before keep answers while this is built.
DROP INDEX CONCURRENTLY IF EXISTS idempotency_record_by_tenant;
DROP INDEX CONCURRENTLY IF EXISTS idempotency_record_scope;

-- The primary key of 0054.
CREATE UNIQUE INDEX CONCURRENTLY idempotency_record_by_tenant ON idempotency_record (tenant_id, scope);
-- What vaults of the version before name where an answer is there already.
CREATE UNIQUE INDEX CONCURRENTLY idempotency_record_scope ON idempotency_record (scope);
