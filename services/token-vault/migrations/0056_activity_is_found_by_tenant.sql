-- no transaction: vaults of the version before gather what was done while this is built.
ALTER TABLE token_activity VALIDATE CONSTRAINT token_activity_before;

DROP INDEX CONCURRENTLY IF EXISTS token_activity_by_tenant;

-- The primary key of 0057.
CREATE UNIQUE INDEX CONCURRENTLY token_activity_by_tenant ON token_activity (tenant_id, month, token_id);
