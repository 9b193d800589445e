-- no transaction: vaults of the version before write their audit log while this is built.
DROP INDEX CONCURRENTLY IF EXISTS audit_revision;

-- The newest known revision of each token.
CREATE INDEX CONCURRENTLY audit_revision ON audit (tenant_id, token_id, id DESC) WHERE revision IS NOT NULL;
