-- no transaction: vaults of the version before write their audit log while this is built.
ALTER TABLE audit VALIDATE CONSTRAINT audit_before;

DROP INDEX CONCURRENTLY IF EXISTS audit_by_tenant;
DROP INDEX CONCURRENTLY IF EXISTS audit_by_id;

-- The primary key of 0052. Read backwards, it is a tenant's entries, newest first.
CREATE UNIQUE INDEX CONCURRENTLY audit_by_tenant ON audit (tenant_id, at, id);
-- Seals are over ranges of ids.
CREATE INDEX CONCURRENTLY audit_by_id ON audit (id);
