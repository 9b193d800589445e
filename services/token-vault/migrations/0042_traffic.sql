-- How many requests each tenant had, and how long they took, in steps of five minutes and of an hour. The former are kept for
-- two days, the latter for 30. durations: how many, by the classes of platform's duration-classes.ts.
CREATE TABLE tenant_traffic (
  tenant_id uuid        NOT NULL,
  step      integer     NOT NULL CHECK (step IN (300, 3600)),
  at        timestamptz NOT NULL,
  requests  bigint      NOT NULL,
  errors    bigint      NOT NULL,
  refused   bigint      NOT NULL,
  killed    bigint      NOT NULL,
  durations bigint[]    NOT NULL,
  PRIMARY KEY (tenant_id, step, at)
);

CREATE INDEX tenant_traffic_old ON tenant_traffic (step, at);

-- As 0028_rows_belong_to_tenants.sql has it for the other tables.
ALTER TABLE tenant_traffic ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON tenant_traffic USING (
  tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
  OR (SELECT current_setting('glovebox.across_tenants', true) <> ''));
