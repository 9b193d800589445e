-- Equal tokens: for deduplication, and searches by fingerprint.
CREATE INDEX token_fingerprint ON token (tenant_id, fingerprint) WHERE fingerprint IS NOT NULL;

-- Containers are compared byte by byte: then what lies below one is a range of names, and Postgres knows how many do.
ALTER TABLE token ALTER COLUMN container TYPE text COLLATE "C";

-- A tenant's tokens in the order of its lists, all of them and by what most lists are narrowed. expires_at and container
-- stand beside: to count tokens that a caller may see, and to pass over others, takes no look at the tokens themselves.
CREATE INDEX token_newest ON token (tenant_id, created_at DESC, id) INCLUDE (expires_at, container);
CREATE INDEX token_type ON token (tenant_id, type, created_at DESC, id) INCLUDE (expires_at, container);
CREATE INDEX token_creator ON token (tenant_id, created_by, created_at DESC, id) INCLUDE (expires_at, container);
CREATE INDEX token_container ON token (tenant_id, container, created_at DESC, id) INCLUDE (expires_at, type);

CREATE INDEX token_modified ON token (tenant_id, modified_at, modified_by) WHERE modified_at IS NOT NULL;

-- Keyed hashes of values: of a tenant's own key, so that no other tenant's rows are among those found.
CREATE INDEX token_search_hashes ON token USING gin (search_hashes) WHERE search_hashes <> '{}';

-- Values of metadata as they are compared: case does not count, nor the way in which an accented letter is composed.
CREATE FUNCTION token_folded(value text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(normalize(value));

-- An entry of metadata as a number, the tenant mixed in. Two entries may have the same one: who selects by it compares.
CREATE FUNCTION token_metadata_term(tenant_id uuid, name text, value text) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN hashtextextended(tenant_id::text || name || ' ' || token_folded(value), 0);

CREATE FUNCTION token_metadata_terms(tenant_id uuid, metadata jsonb) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(SELECT token_metadata_term(tenant_id, key, value) FROM jsonb_each_text(metadata));

CREATE INDEX token_metadata ON token USING gin (token_metadata_terms(tenant_id, metadata)) WHERE metadata IS NOT NULL;

-- So that Postgres knows which entries are common: many tokens are best passed over in order, a few are fetched.
CREATE STATISTICS token_metadata_terms ON token_metadata_terms(tenant_id, metadata) FROM token;
