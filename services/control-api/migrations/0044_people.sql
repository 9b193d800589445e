-- People: who may sign in to a tenant, and who is signed in.

-- id: of the user; the same person has the same id in every tenant. source: who decides on the role, `directory` (the
-- identity provider, at each sign-in) or `invitation` (the tenant).
CREATE TABLE members (
  tenant_id   uuid NOT NULL CONSTRAINT members_tenant REFERENCES tenants (id) ON DELETE CASCADE,
  id          uuid NOT NULL,
  role        text NOT NULL,
  source      text NOT NULL,
  email       text,
  first_name  text,
  last_name   text,
  created_by  uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  modified_by uuid,
  modified_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);

-- Somebody who is signed in: a member, or the holder of a management key. The id itself is only in the cookie.
CREATE TABLE console_sessions (
  id_hash      bytea PRIMARY KEY,
  tenant_id    uuid NOT NULL CONSTRAINT console_sessions_tenant REFERENCES tenants (id) ON DELETE CASCADE,
  user_id      uuid,
  key_hash     text CONSTRAINT console_sessions_key REFERENCES application_keys (key_hash) ON DELETE CASCADE,
  created_at   timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  CONSTRAINT console_sessions_member FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, id)
    ON DELETE CASCADE,
  CHECK ((user_id IS NULL) <> (key_hash IS NULL))
);
CREATE INDEX console_sessions_of_member ON console_sessions (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX console_sessions_of_key ON console_sessions (key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX console_sessions_last_seen ON console_sessions (last_seen_at);

ALTER TABLE tenant_invitations ADD COLUMN role text NOT NULL DEFAULT 'VIEWER';
CREATE INDEX tenant_invitations_email ON tenant_invitations (lower(email));

-- actor_type null: an application, or the service itself where there is no actor. outcome null: allowed.
ALTER TABLE logs
  ADD COLUMN actor_type text,
  ADD COLUMN outcome    text,
  ADD COLUMN reason     text;

ALTER TABLE members ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON members USING (
  tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
  OR (SELECT current_setting('glovebox.across_tenants', true) <> ''));
ALTER TABLE console_sessions ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON console_sessions USING (
  tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
  OR (SELECT current_setting('glovebox.across_tenants', true) <> ''));
