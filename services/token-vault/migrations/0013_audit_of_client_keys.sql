-- no transaction: vaults of the version before write their audit log while this is built.
DROP INDEX CONCURRENTLY IF EXISTS audit_client_key;

-- What was done with one key pair.
CREATE INDEX CONCURRENTLY audit_client_key ON audit (tenant_id, purpose_id, at DESC, id DESC) WHERE purpose = 'key';
