-- All webhooks of a tenant are published as one record: whoever changes one of them locks this row, and counts here.
CREATE TABLE webhook_lists (
  tenant_id uuid PRIMARY KEY CONSTRAINT webhook_lists_tenant REFERENCES tenants (id) ON DELETE CASCADE,
  version   bigint NOT NULL
);

-- A secret was sealed by the vault as that of its number; the one before stays good until previous_secret_until.
CREATE TABLE webhooks (
  id                     uuid PRIMARY KEY,
  tenant_id              uuid NOT NULL REFERENCES webhook_lists (tenant_id) ON DELETE CASCADE,
  name                   text NOT NULL,
  url                    text NOT NULL,
  events                 text[] NOT NULL,
  notify_email           text,
  status                 text NOT NULL CHECK (status IN ('enabled', 'disabled')),
  secret_number          integer NOT NULL,
  sealed_secret          bytea NOT NULL,
  sealed_previous_secret bytea,
  previous_secret_until  timestamptz,
  created_by             uuid NOT NULL,
  created_at             timestamptz NOT NULL,
  modified_by            uuid,
  modified_at            timestamptz
);

CREATE INDEX webhooks_page ON webhooks (tenant_id, created_at DESC, id DESC);
