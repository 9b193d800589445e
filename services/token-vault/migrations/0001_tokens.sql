-- Data keys, wrapped under the key-encryption key that key_id names. `data` keys seal and rotate, `index` keys make
-- fingerprints and search hashes.
CREATE TABLE tenant_key (
  tenant_id  uuid        NOT NULL,
  kind       text        NOT NULL CHECK (kind IN ('data', 'index')),
  version    integer     NOT NULL CHECK (version > 0),
  key_id     text        NOT NULL,
  wrapped    bytea       NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, kind, version)
);

CREATE SEQUENCE token_revision;

CREATE TABLE token (
  tenant_id              uuid        NOT NULL,
  id                     text        NOT NULL,
  -- Changes with every write, and is never that of an earlier token of the same id: what a cache compares.
  revision               bigint      NOT NULL DEFAULT nextval('token_revision'),
  type                   text        NOT NULL,
  container              text        NOT NULL,
  -- An envelope that opens only at (tenant_id, id).
  sealed_data            bytea       NOT NULL,
  -- Templates, as they were given: json, so that the order of members stays.
  mask                   json,
  metadata               jsonb,
  fingerprint            text,
  fingerprint_expression text,
  search_indexes         text[]      NOT NULL,
  -- Keyed hashes of what the search indexes evaluate to.
  search_hashes          bytea[]     NOT NULL,
  encryption             json,
  expires_at             timestamptz,
  -- The same instant with the offset in which it was given.
  expires_at_text        text,
  created_by             uuid        NOT NULL,
  created_at             timestamptz NOT NULL,
  modified_by            uuid,
  modified_at            timestamptz,
  PRIMARY KEY (tenant_id, id),
  CHECK ((expires_at IS NULL) = (expires_at_text IS NULL))
);

CREATE INDEX token_expires_at ON token (expires_at) WHERE expires_at IS NOT NULL;
