-- Keys get ids, by which they are shown and removed. Who made a key is unknown for those from before.
ALTER TABLE application_keys
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN created_by uuid;

CREATE UNIQUE INDEX application_keys_id ON application_keys (id);

-- Whether an invitation is still good follows from expires_at alone.
CREATE TABLE tenant_invitations (
  id          uuid PRIMARY KEY,
  tenant_id   uuid NOT NULL CONSTRAINT tenant_invitations_tenant REFERENCES tenants (id) ON DELETE CASCADE,
  email       text NOT NULL,
  expires_at  timestamptz NOT NULL,
  created_by  uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  modified_by uuid,
  modified_at timestamptz
);

CREATE INDEX tenant_invitations_page ON tenant_invitations (tenant_id, created_at DESC, id);

-- The formula of a reactor that was given code of its own: part of that reactor, and no formula to anybody else.
ALTER TABLE reactor_formulas ADD COLUMN inline boolean NOT NULL DEFAULT false;
