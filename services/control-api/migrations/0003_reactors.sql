-- Formulas are not published themselves: what they say is part of the record of each of their reactors.
CREATE TABLE reactor_formulas (
  id                 uuid PRIMARY KEY,
  tenant_id          uuid NOT NULL CONSTRAINT reactor_formulas_tenant REFERENCES tenants (id) ON DELETE CASCADE,
  name               text NOT NULL,
  description        text,
  icon               text,
  code               text NOT NULL,
  configuration      jsonb NOT NULL,
  request_parameters jsonb NOT NULL,
  created_by         uuid NOT NULL,
  created_at         timestamptz NOT NULL,
  modified_by        uuid,
  modified_at        timestamptz
);

CREATE INDEX reactor_formulas_page ON reactor_formulas (tenant_id, created_at DESC, id);

-- The values of sealed_configuration (base64) were sealed by the vault. application_id is a weak reference, as with
-- proxies. The version counts changes of the formula too. Locks are taken in the order tenant, formula, reactor.
CREATE TABLE reactors (
  id                   uuid PRIMARY KEY,
  tenant_id            uuid NOT NULL CONSTRAINT reactors_tenant REFERENCES tenants (id) ON DELETE CASCADE,
  formula_id           uuid NOT NULL CONSTRAINT reactors_formula REFERENCES reactor_formulas (id),
  name                 text NOT NULL,
  sealed_configuration jsonb NOT NULL,
  application_id       uuid,
  version              bigint NOT NULL,
  created_by           uuid NOT NULL,
  created_at           timestamptz NOT NULL,
  modified_by          uuid,
  modified_at          timestamptz
);

CREATE INDEX reactors_page ON reactors (tenant_id, created_at DESC, id);
CREATE INDEX reactors_of_formula ON reactors (formula_id, id);

-- Of record_values; lets a publisher take no more than it can hold.
ALTER TABLE outbox ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
