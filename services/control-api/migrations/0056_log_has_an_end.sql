-- The log becomes a table of partitions by time (0058). The table of today will be its first partition, as it is: nothing is
-- copied. Until when that one holds entries is a constraint, which 0057 validates.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE logs ADD CONSTRAINT logs_before CHECK (at < %L) NOT VALID',
                 (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC');
END
$$;
