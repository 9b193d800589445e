-- How often what was done in which month (its first day, in UTC), counted from the audit log, which may be removed earlier.
CREATE TABLE operation_count (
  tenant_id   uuid   NOT NULL,
  month       date   NOT NULL,
  entity_type text   NOT NULL,
  operation   text   NOT NULL,
  -- Empty where there is none.
  purpose     text   NOT NULL,
  count       bigint NOT NULL,
  PRIMARY KEY (tenant_id, month, entity_type, operation, purpose)
);

CREATE INDEX operation_count_month ON operation_count USING brin (month);

-- What was done before this moment is counted.
CREATE TABLE operation_count_progress (
  only_row       boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  gathered_until timestamptz NOT NULL
);

INSERT INTO operation_count_progress (gathered_until)
SELECT coalesce(min(at), now() - interval '2 minutes') FROM audit;
