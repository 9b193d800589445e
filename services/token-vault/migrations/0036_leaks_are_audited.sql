-- no transaction: vaults of the version before write their audit log while this is built.
DROP INDEX CONCURRENTLY IF EXISTS audit_leak;

-- Answers of one proxy or reactor that held a value which was filled into the request.
CREATE INDEX CONCURRENTLY audit_leak ON audit (tenant_id, purpose_id, at DESC, id DESC) WHERE purpose = 'leak';
