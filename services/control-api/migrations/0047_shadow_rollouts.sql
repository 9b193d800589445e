-- A shadow is tried on a share of the requests, and serves none. An earlier release of the service does not read the column, and
-- shows and publishes a rollout that serves nobody: percent is 0.
ALTER TABLE proxy_rollouts ADD COLUMN shadow_percent double precision;
