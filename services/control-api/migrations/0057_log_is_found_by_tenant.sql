-- no transaction: control-apis of the version before write their log while this is built.
ALTER TABLE logs VALIDATE CONSTRAINT logs_before;

DROP INDEX CONCURRENTLY IF EXISTS logs_by_tenant;

-- The primary key of 0058. Read backwards, it is a tenant's entries, newest first.
CREATE UNIQUE INDEX CONCURRENTLY logs_by_tenant ON logs (tenant_id, at, id);
