-- A rollout sends a share of a proxy's requests to a second version, which is kept as long as the row names it. Rows stay when
-- a rollout is over: revisions grow, and readers know the version for requests that began before. An earlier release of the
-- service reads none of this.
CREATE TABLE proxy_rollouts (
  resource_id       uuid PRIMARY KEY CONSTRAINT proxy_rollouts_proxy REFERENCES proxies (id) ON DELETE CASCADE,
  -- Of the figures: another one for another version.
  id                uuid NOT NULL,
  version           bigint NOT NULL,
  percent           double precision NOT NULL,
  -- The header whose value decides; null: chance.
  header            text,
  stop_error_rate   double precision,
  stop_min_requests bigint,
  -- running, stopped, completed, deleted
  state             text NOT NULL,
  reason            text,
  -- Of the published record.
  revision          bigint NOT NULL,
  created_by        uuid NOT NULL,
  created_at        timestamptz NOT NULL,
  modified_by       uuid,
  modified_at       timestamptz
);

CREATE INDEX proxy_rollouts_watched ON proxy_rollouts (resource_id)
 WHERE state = 'running' AND stop_error_rate IS NOT NULL;

-- A rollout belongs to its proxy, whose policy decides (0022).
ALTER TABLE proxy_rollouts ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON proxy_rollouts USING (
  EXISTS (SELECT 1 FROM proxies WHERE proxies.id = resource_id));
