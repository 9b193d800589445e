-- What tenants configure. Every row that is published carries a version: 1 at first, one more with each change,
-- counted under the row's lock.

CREATE TABLE tenants (
  id          uuid PRIMARY KEY,
  owner_id    uuid NOT NULL,
  name        text NOT NULL,
  settings    jsonb NOT NULL,
  version     bigint NOT NULL,
  created_by  uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  modified_by uuid,
  modified_at timestamptz
);

CREATE TABLE applications (
  id          uuid PRIMARY KEY,
  tenant_id   uuid NOT NULL CONSTRAINT applications_tenant REFERENCES tenants (id) ON DELETE CASCADE,
  name        text NOT NULL,
  type        text NOT NULL CHECK (type IN ('private', 'public', 'management')),
  permissions text[] NOT NULL,
  rules       jsonb NOT NULL,
  version     bigint NOT NULL,
  created_by  uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  modified_by uuid,
  modified_at timestamptz
);

CREATE INDEX applications_page ON applications (tenant_id, created_at DESC, id);

-- API keys, by their SHA-256 (hex) only.
CREATE TABLE application_keys (
  key_hash       text PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  created_at     timestamptz NOT NULL
);

CREATE INDEX application_keys_application ON application_keys (application_id);

-- sealed_key and the values of sealed_configuration (base64) were sealed by the vault. application_id is a weak
-- reference: a proxy whose application is gone has none.
CREATE TABLE proxies (
  id                      uuid PRIMARY KEY,
  tenant_id               uuid NOT NULL CONSTRAINT proxies_tenant REFERENCES tenants (id) ON DELETE CASCADE,
  name                    text NOT NULL,
  key_hash                text NOT NULL UNIQUE,
  sealed_key              bytea NOT NULL,
  destination_url         text NOT NULL,
  request_transform_code  text,
  response_transform_code text,
  sealed_configuration    jsonb,
  application_id          uuid,
  require_auth            boolean NOT NULL,
  version                 bigint NOT NULL,
  created_by              uuid NOT NULL,
  created_at              timestamptz NOT NULL,
  modified_by             uuid NOT NULL,
  modified_at             timestamptz NOT NULL
);

CREATE INDEX proxies_page ON proxies (tenant_id, created_at DESC, id);
