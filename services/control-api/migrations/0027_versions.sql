-- What proxies, reactors and formulas were. A row is written with the change that makes the version; a version of before
-- this migration has none until the next change. The numbers are those of the resources: of a proxy and a formula its
-- version, of a reactor its version less formula_changes.

-- How often a change of its formula has raised a reactor's version.
ALTER TABLE reactors ADD COLUMN formula_changes bigint NOT NULL DEFAULT 0;
ALTER TABLE reactor_formulas ADD COLUMN version bigint NOT NULL DEFAULT 1;

-- definition: the columns by their names; sealed values were sealed for the resource, as in its own row.
-- changed_settings: names in the configuration whose values differ from the version before; null: all of them.
CREATE TABLE proxy_versions (
  resource_id      uuid NOT NULL CONSTRAINT proxy_versions_proxy REFERENCES proxies (id) ON DELETE CASCADE,
  version          bigint NOT NULL,
  created_by       uuid NOT NULL,
  created_at       timestamptz NOT NULL,
  comment          text,
  changed_settings text[],
  definition       jsonb NOT NULL,
  PRIMARY KEY (resource_id, version)
);

CREATE TABLE reactor_versions (
  resource_id      uuid NOT NULL CONSTRAINT reactor_versions_reactor REFERENCES reactors (id) ON DELETE CASCADE,
  version          bigint NOT NULL,
  created_by       uuid NOT NULL,
  created_at       timestamptz NOT NULL,
  comment          text,
  changed_settings text[],
  definition       jsonb NOT NULL,
  PRIMARY KEY (resource_id, version)
);

CREATE TABLE reactor_formula_versions (
  resource_id      uuid NOT NULL CONSTRAINT reactor_formula_versions_formula
                     REFERENCES reactor_formulas (id) ON DELETE CASCADE,
  version          bigint NOT NULL,
  created_by       uuid NOT NULL,
  created_at       timestamptz NOT NULL,
  comment          text,
  changed_settings text[],
  definition       jsonb NOT NULL,
  PRIMARY KEY (resource_id, version)
);

-- A version belongs to its resource, whose policy decides (0022).
ALTER TABLE proxy_versions ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON proxy_versions USING (
  EXISTS (SELECT 1 FROM proxies WHERE proxies.id = resource_id));
ALTER TABLE reactor_versions ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON reactor_versions USING (
  EXISTS (SELECT 1 FROM reactors WHERE reactors.id = resource_id));
ALTER TABLE reactor_formula_versions ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON reactor_formula_versions USING (
  EXISTS (SELECT 1 FROM reactor_formulas WHERE reactor_formulas.id = resource_id));
