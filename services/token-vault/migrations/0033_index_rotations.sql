-- Index keys that are being replaced by this version: vaults write under the one before, then (`writing`) under this one,
-- and search under both all the while. after_id: up to this token all were made anew. lost: fingerprints that could not be.
CREATE TABLE index_rotation (
  tenant_id   uuid        PRIMARY KEY,
  version     integer     NOT NULL CHECK (version > 1),
  phase       text        NOT NULL DEFAULT 'announced' CHECK (phase IN ('announced', 'writing')),
  phase_since timestamptz NOT NULL DEFAULT now(),
  after_id    text        NOT NULL DEFAULT '',
  remade      bigint      NOT NULL DEFAULT 0,
  lost        bigint      NOT NULL DEFAULT 0,
  unreadable  bigint      NOT NULL DEFAULT 0
);

-- As 0028_rows_belong_to_tenants.sql has it for the other tables.
ALTER TABLE index_rotation ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON index_rotation USING (
  tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
  OR (SELECT current_setting('glovebox.across_tenants', true) <> ''));
