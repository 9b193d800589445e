-- no transaction: vaults of the version before write their audit log while this is built.
DROP INDEX CONCURRENTLY IF EXISTS audit_denied;
DROP INDEX CONCURRENTLY IF EXISTS audit_denied_to;

-- Tenants read what was refused, newest first.
CREATE INDEX CONCURRENTLY audit_denied ON audit (tenant_id, at DESC, id DESC) WHERE outcome = 'denied';
-- How much of it one application has been writing lately.
CREATE INDEX CONCURRENTLY audit_denied_to ON audit (tenant_id, application_id, at) WHERE outcome = 'denied';
