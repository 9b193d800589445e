-- Which tokens were active becomes a table of partitions by month (0057), as the audit log did (0050).
DO $$
BEGIN
  EXECUTE format('ALTER TABLE token_activity ADD CONSTRAINT token_activity_before CHECK (month < %L) NOT VALID',
                 (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date);
END
$$;
