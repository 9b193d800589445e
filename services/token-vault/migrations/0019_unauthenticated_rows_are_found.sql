-- no transaction: vaults of the version before write tokens while this is built.
DROP INDEX CONCURRENTLY IF EXISTS token_untagged;

-- Tokens that are still to be sealed in format 2. Empty afterwards.
CREATE INDEX CONCURRENTLY token_untagged ON token (tenant_id, id) WHERE tag IS NULL;
