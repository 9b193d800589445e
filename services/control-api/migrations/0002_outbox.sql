-- Who this database is to the projection in Redis, and how many of its changes are known to be there.
CREATE TABLE installation (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id             uuid NOT NULL DEFAULT gen_random_uuid(),
  last_published bigint NOT NULL DEFAULT 0
);

INSERT INTO installation DEFAULT VALUES;

-- One entry for each change that is committed and not yet published: the records as Redis will hold them.
-- traceparent belongs to the request that made the change.
CREATE TABLE outbox (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  record_names  text[] NOT NULL,
  record_values bytea[] NOT NULL,
  traceparent   text,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
