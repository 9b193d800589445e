-- The log in partitions by time, as the vault's audit log is. What is too old is dropped with its partition. control-apis of
-- the version before write, read and purge as they did, through the same name.
DO $$
DECLARE
  ends   text;
  last   bigint;
  one    record;
  parent text[];
BEGIN
  LOCK TABLE logs IN ACCESS EXCLUSIVE MODE;
  last := pg_sequence_last_value(pg_get_serial_sequence('logs', 'id')::regclass);
  SELECT substring(pg_get_constraintdef(oid) FROM $re$'([^']+)'$re$) INTO ends
    FROM pg_constraint WHERE conrelid = 'logs'::regclass AND conname = 'logs_before';

  -- Its indexes become those of the first partition, and the log gets the same under their names. The new primary key
  -- takes the place of logs_newest.
  DROP INDEX logs_newest;
  ALTER TABLE logs DROP CONSTRAINT logs_pkey,
    ADD CONSTRAINT logs_first_pkey PRIMARY KEY USING INDEX logs_by_tenant,
    ALTER COLUMN id DROP IDENTITY;
  FOR one IN SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
               FROM pg_index WHERE indrelid = 'logs'::regclass AND NOT indisprimary LOOP
    parent := parent || one.definition;
    EXECUTE format('ALTER INDEX %s RENAME TO %I', one.name, replace(one.name, 'logs_', 'logs_first_'));
  END LOOP;
  ALTER TABLE logs RENAME TO logs_first;

  CREATE TABLE logs (
    LIKE logs_first INCLUDING DEFAULTS,
    CONSTRAINT logs_pkey PRIMARY KEY (tenant_id, at, id)
  ) PARTITION BY RANGE (at);
  ALTER TABLE logs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY;
  IF last IS NOT NULL THEN PERFORM setval(pg_get_serial_sequence('logs', 'id')::regclass, last); END IF;
  FOR i IN 1 .. cardinality(parent) LOOP
    EXECUTE parent[i];
  END LOOP;
  -- The constraint spares the look at every row.
  EXECUTE format('ALTER TABLE logs ATTACH PARTITION logs_first FOR VALUES FROM (MINVALUE) TO (%L)', ends);
  ALTER TABLE logs_first DROP CONSTRAINT logs_before;
END
$$;

-- As 0022_rows_belong_to_tenants.sql has it for the other tables.
ALTER TABLE logs ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON logs USING (
  tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
  OR (SELECT current_setting('glovebox.across_tenants', true) <> ''));

-- A control-api that runs has the rights that it had, on the log and no partition of it, before it notices.
DO $$
DECLARE role text;
BEGIN
  FOR role IN SELECT DISTINCT grantee::regrole::text
                FROM pg_class, aclexplode(relacl)
               WHERE pg_class.oid = 'logs_first'::regclass AND grantee NOT IN (0, relowner) LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON logs TO %s; REVOKE ALL ON logs_first FROM %1$s', role);
  END LOOP;
END
$$;

-- From when to when; the first one begins with the first entry (null).
CREATE FUNCTION log_partitions() RETURNS TABLE (name text, starts timestamptz, ends timestamptz)
  LANGUAGE sql STABLE SET timezone = 'UTC' SET datestyle = 'ISO' SET search_path FROM CURRENT AS $$
  SELECT relname::text,
         substring(pg_get_expr(relpartbound, oid) FROM $re$FROM \('([^']+)'\)$re$)::timestamptz,
         substring(pg_get_expr(relpartbound, oid) FROM $re$TO \('([^']+)'\)$re$)::timestamptz
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
   WHERE inhparent = 'logs'::regclass
   ORDER BY 3
$$;

-- Makes partitions of a width (week, month) that follow the last one, until all times before a moment have one; gives how
-- many. Neither readers nor writers wait: a table is made, and attached.
CREATE FUNCTION make_log_partitions(until timestamptz, width text) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET timezone = 'UTC' SET lock_timeout = '1s' SET search_path FROM CURRENT AS $$
DECLARE
  starts timestamptz;
  ends   timestamptz;
  name   text;
  made   integer := 0;
BEGIN
  IF width NOT IN ('week', 'month') OR until > now() + interval '1 year' THEN
    RAISE EXCEPTION 'partitions hold a week or a month, and are made a year ahead at most';
  END IF;
  IF NOT pg_try_advisory_xact_lock(4712, 3) THEN RETURN 0; END IF; -- another process makes them
  LOOP
    SELECT max(p.ends) INTO starts FROM log_partitions() AS p;
    EXIT WHEN starts >= until;
    ends := date_trunc(width, starts) + ('1 ' || width)::interval;
    name := 'logs_from_' || to_char(starts, 'YYYYMMDD');
    EXECUTE format(
      'CREATE TABLE %1$I (LIKE logs INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
       ALTER TABLE %1$I ENABLE ROW LEVEL SECURITY;
       CREATE POLICY in_scope ON %1$I USING (
         tenant_id = ANY ((SELECT nullif(current_setting(''glovebox.tenants'', true), '''')::uuid[])::uuid[])
         OR (SELECT current_setting(''glovebox.across_tenants'', true) <> ''''));
       ALTER TABLE logs ATTACH PARTITION %1$I FOR VALUES FROM (%2$L) TO (%3$L)', name, starts, ends);
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;

-- Removes the partitions that end before a moment; gives how many. A backup reads for hours: behind it this gives up at
-- once, and writers go on.
CREATE FUNCTION drop_log_partitions(before timestamptz) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET timezone = 'UTC' SET lock_timeout = '200ms' SET search_path FROM CURRENT AS $$
DECLARE
  one     record;
  dropped integer := 0;
BEGIN
  FOR one IN SELECT name FROM log_partitions() WHERE ends <= before AND ends <= now() LOOP
    EXECUTE format('DROP TABLE %I', one.name);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$;

REVOKE EXECUTE ON FUNCTION make_log_partitions(timestamptz, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION drop_log_partitions(timestamptz) FROM PUBLIC;
