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
