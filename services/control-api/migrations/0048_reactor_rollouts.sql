-- The same for reactors as for proxies (0045).
CREATE TABLE reactor_rollouts (
  resource_id       uuid PRIMARY KEY CONSTRAINT reactor_rollouts_reactor REFERENCES reactors (id) ON DELETE CASCADE,
  id                uuid NOT NULL,
  version           bigint NOT NULL,
  percent           double precision NOT NULL,
  -- Reactors have no shadows yet; the columns are those of proxy_rollouts.
  shadow_percent    double precision,
  header            text,
  stop_error_rate   double precision,
  stop_min_requests bigint,
  state             text NOT NULL,
  reason            text,
  revision          bigint NOT NULL,
  created_by        uuid NOT NULL,
  created_at        timestamptz NOT NULL,
  modified_by       uuid,
  modified_at       timestamptz
);

CREATE INDEX reactor_rollouts_watched ON reactor_rollouts (resource_id)
 WHERE state = 'running' AND stop_error_rate IS NOT NULL;

ALTER TABLE reactor_rollouts ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON reactor_rollouts USING (
  EXISTS (SELECT 1 FROM reactors WHERE reactors.id = resource_id));
