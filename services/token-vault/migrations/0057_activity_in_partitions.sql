-- Which tokens were active, in partitions by month. Vaults of the version before read and write by the same name.
DO $$
DECLARE ends text;
BEGIN
  LOCK TABLE token_activity IN ACCESS EXCLUSIVE MODE;
  SELECT substring(pg_get_constraintdef(oid) FROM $re$'([^']+)'$re$) INTO ends
    FROM pg_constraint WHERE conrelid = 'token_activity'::regclass AND conname = 'token_activity_before';
  ALTER TABLE token_activity DROP CONSTRAINT token_activity_pkey,
    ADD CONSTRAINT token_activity_first_pkey PRIMARY KEY USING INDEX token_activity_by_tenant;
  ALTER TABLE token_activity RENAME TO token_activity_first;
  CREATE TABLE token_activity (
    LIKE token_activity_first,
    CONSTRAINT token_activity_pkey PRIMARY KEY (tenant_id, month, token_id)
  ) PARTITION BY RANGE (month);
  EXECUTE format('ALTER TABLE token_activity ATTACH PARTITION token_activity_first FOR VALUES FROM (MINVALUE) TO (%L)', ends);
  ALTER TABLE token_activity_first DROP CONSTRAINT token_activity_before;
END
$$;

-- Months of the first partition that are too old are deleted from it.
CREATE INDEX token_activity_first_month ON token_activity_first USING brin (month);

-- As 0028_rows_belong_to_tenants.sql has it for the other tables.
ALTER TABLE token_activity ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON token_activity USING (
  tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
  OR (SELECT current_setting('glovebox.across_tenants', true) <> ''));

-- Vaults that run have the rights that they had, before they notice.
DO $$
DECLARE role text;
BEGIN
  FOR role IN SELECT DISTINCT grantee::regrole::text
                FROM pg_class, aclexplode(relacl)
               WHERE pg_class.oid = 'token_activity_first'::regclass AND grantee NOT IN (0, relowner) LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON token_activity TO %s;
                    REVOKE ALL ON token_activity_first FROM %1$s', role);
  END LOOP;
END
$$;

-- From when to when; the first one begins with the first month (null).
CREATE FUNCTION activity_partitions() RETURNS TABLE (name text, starts timestamptz, ends timestamptz)
  LANGUAGE sql STABLE SET timezone = 'UTC' SET datestyle = 'ISO' SET search_path FROM CURRENT AS $$
  SELECT relname::text,
         substring(pg_get_expr(relpartbound, oid) FROM $re$FROM \('([^']+)'\)$re$)::timestamptz,
         substring(pg_get_expr(relpartbound, oid) FROM $re$TO \('([^']+)'\)$re$)::timestamptz
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
   WHERE inhparent = 'token_activity'::regclass
   ORDER BY 3
$$;

-- Makes a partition for each month that follows the last one, until all before a moment have one; gives how many.
CREATE FUNCTION make_activity_partitions(until timestamptz, width text) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET timezone = 'UTC' SET lock_timeout = '1s' SET search_path FROM CURRENT AS $$
DECLARE
  starts timestamptz;
  name   text;
  made   integer := 0;
BEGIN
  IF width <> 'month' OR until > now() + interval '1 year' THEN
    RAISE EXCEPTION 'partitions hold a month, and are made a year ahead at most';
  END IF;
  IF NOT pg_try_advisory_xact_lock(4712, 4) THEN RETURN 0; END IF; -- another process makes them
  LOOP
    SELECT max(p.ends) INTO starts FROM activity_partitions() AS p;
    EXIT WHEN starts >= until;
    name := 'token_activity_' || to_char(starts, 'YYYYMM');
    EXECUTE format(
      'CREATE TABLE %1$I (LIKE token_activity);
       ALTER TABLE %1$I ENABLE ROW LEVEL SECURITY;
       CREATE POLICY in_scope ON %1$I USING (
         tenant_id = ANY ((SELECT nullif(current_setting(''glovebox.tenants'', true), '''')::uuid[])::uuid[])
         OR (SELECT current_setting(''glovebox.across_tenants'', true) <> ''''));
       ALTER TABLE token_activity ATTACH PARTITION %1$I FOR VALUES FROM (%2$L) TO (%3$L)',
      name, starts::date, (starts + interval '1 month')::date);
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;

-- Removes the partitions that end before a moment; gives how many. Behind a backup this gives up at once.
CREATE FUNCTION drop_activity_partitions(before timestamptz) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET timezone = 'UTC' SET lock_timeout = '200ms' SET search_path FROM CURRENT AS $$
DECLARE
  one     record;
  dropped integer := 0;
BEGIN
  FOR one IN SELECT name FROM activity_partitions() WHERE ends <= before AND ends <= now() LOOP
    EXECUTE format('DROP TABLE %I', one.name);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$;

REVOKE EXECUTE ON FUNCTION make_activity_partitions(timestamptz, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION drop_activity_partitions(timestamptz) FROM PUBLIC;
