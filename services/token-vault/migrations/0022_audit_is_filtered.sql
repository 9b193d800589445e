-- no transaction: vaults of the version before write their audit log while this is built.
DROP INDEX CONCURRENTLY IF EXISTS audit_of_actor;
DROP INDEX CONCURRENTLY IF EXISTS audit_of_operation;
DROP INDEX CONCURRENTLY IF EXISTS audit_of_trace;
DROP INDEX CONCURRENTLY IF EXISTS audit_of_destination;

-- Tenants ask who did something, what was done, in which request, and where a value went; each newest first.
CREATE INDEX CONCURRENTLY audit_of_actor ON audit (tenant_id, application_id, at DESC, id DESC);
-- Nearly all entries are of these two operations: they are found by their time, and every use pays for an index less.
CREATE INDEX CONCURRENTLY audit_of_operation ON audit (tenant_id, operation, at DESC, id DESC)
  WHERE operation <> 'use' AND operation <> 'read';
CREATE INDEX CONCURRENTLY audit_of_trace ON audit (tenant_id, correlation_id, at DESC, id DESC)
  WHERE correlation_id IS NOT NULL;
CREATE INDEX CONCURRENTLY audit_of_destination ON audit (tenant_id, destination, at DESC, id DESC)
  WHERE destination IS NOT NULL;
