-- Who changed what, written with the change. It outlives what it is about, the tenant included.
CREATE TABLE logs (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  tenant_id   uuid        NOT NULL,
  -- Null: an operator, by the command line.
  actor_id    uuid,
  operation   text        NOT NULL,
  entity_type text        NOT NULL,
  entity_id   text        NOT NULL
);

CREATE INDEX logs_newest ON logs (tenant_id, at DESC, id DESC);
CREATE INDEX logs_of_type ON logs (tenant_id, entity_type, at DESC, id DESC);
CREATE INDEX logs_of_entity ON logs (tenant_id, entity_id, at DESC, id DESC);
-- For what is not kept any longer.
CREATE INDEX logs_oldest ON logs (at);
