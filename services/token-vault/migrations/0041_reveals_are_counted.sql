-- no transaction: vaults of the version before write their audit log while this is built.
DROP INDEX CONCURRENTLY IF EXISTS audit_reveal;

-- What people have seen in plain: few entries, which are counted before each next one.
CREATE INDEX CONCURRENTLY audit_reveal ON audit (tenant_id, at DESC, id DESC) WHERE purpose = 'reveal';
