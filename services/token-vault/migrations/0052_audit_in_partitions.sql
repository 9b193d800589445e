-- The audit log in partitions by time. What is too old is dropped with its partition. Vaults of the version before write,
-- read, seal and purge as they did, through the same name.
DO $$
DECLARE
  ends   text;
  last   bigint;
  one    record;
  parent text[];
BEGIN
  LOCK TABLE audit IN ACCESS EXCLUSIVE MODE;
  last := pg_sequence_last_value(pg_get_serial_sequence('audit', 'id')::regclass);
  SELECT substring(pg_get_constraintdef(oid) FROM $re$'([^']+)'$re$) INTO ends
    FROM pg_constraint WHERE conrelid = 'audit'::regclass AND conname = 'audit_before';

  -- Its indexes become those of the first partition, and the log gets the same under their names. The new primary key
  -- takes the place of audit_newest.
  DROP INDEX audit_newest;
  ALTER TABLE audit DROP CONSTRAINT audit_pkey,
    ADD CONSTRAINT audit_first_pkey PRIMARY KEY USING INDEX audit_by_tenant,
    ALTER COLUMN id DROP IDENTITY;
  FOR one IN SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
               FROM pg_index WHERE indrelid = 'audit'::regclass AND NOT indisprimary LOOP
    parent := parent || one.definition;
    EXECUTE format('ALTER INDEX %s RENAME TO %I', one.name, replace(one.name, 'audit_', 'audit_first_'));
  END LOOP;
  DROP VIEW searchable_audit;
  ALTER TABLE audit RENAME TO audit_first;

  CREATE TABLE audit (
    LIKE audit_first INCLUDING DEFAULTS,
    CONSTRAINT audit_outcome_check CHECK (outcome IN ('allowed', 'denied')),
    CONSTRAINT audit_pkey PRIMARY KEY (tenant_id, at, id)
  ) PARTITION BY RANGE (at);
  ALTER TABLE audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY;
  IF last IS NOT NULL THEN PERFORM setval(pg_get_serial_sequence('audit', 'id')::regclass, last); END IF;
  FOR i IN 1 .. cardinality(parent) LOOP
    EXECUTE parent[i];
  END LOOP;
  -- The constraint spares the look at every row.
  EXECUTE format('ALTER TABLE audit ATTACH PARTITION audit_first FOR VALUES FROM (MINVALUE) TO (%L)', ends);
  ALTER TABLE audit_first DROP CONSTRAINT audit_before;
END
$$;

CREATE TRIGGER audit_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- As 0028_rows_belong_to_tenants.sql has it for the other tables.
ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON audit USING (
  tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
  OR (SELECT current_setting('glovebox.across_tenants', true) <> ''));

CREATE VIEW searchable_audit AS
  SELECT id, at, tenant_id, application_id, operation, token_id, outcome, reason, purpose, purpose_id, correlation_id,
         rule, destination, client_address, count
    FROM audit
   WHERE tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
      OR (SELECT current_setting('glovebox.across_tenants', true) <> '');

-- Vaults that run have the rights that they had, on the log and no partition of it, before they notice.
DO $$
DECLARE role text;
BEGIN
  FOR role IN SELECT DISTINCT grantee::regrole::text
                FROM pg_class, aclexplode(relacl)
               WHERE pg_class.oid = 'audit_first'::regclass AND grantee NOT IN (0, relowner) LOOP
    EXECUTE format('GRANT SELECT, INSERT ON audit TO %s; GRANT SELECT ON searchable_audit TO %1$s;
                    REVOKE ALL ON audit_first FROM %1$s', role);
  END LOOP;
END
$$;

-- From when to when; the first one begins with the first entry (null).
CREATE FUNCTION audit_partitions() RETURNS TABLE (name text, starts timestamptz, ends timestamptz)
  LANGUAGE sql STABLE SET timezone = 'UTC' SET datestyle = 'ISO' SET search_path FROM CURRENT AS $$
  SELECT relname::text,
         substring(pg_get_expr(relpartbound, oid) FROM $re$FROM \('([^']+)'\)$re$)::timestamptz,
         substring(pg_get_expr(relpartbound, oid) FROM $re$TO \('([^']+)'\)$re$)::timestamptz
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
   WHERE inhparent = 'audit'::regclass
   ORDER BY 3
$$;

-- Makes partitions of a width (week, month) that follow the last one, until all times before a moment have one; gives how
-- many. Neither readers nor writers wait: a table is made, and attached.
CREATE FUNCTION make_audit_partitions(until timestamptz, width text) RETURNS integer
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
    SELECT max(p.ends) INTO starts FROM audit_partitions() AS p;
    EXIT WHEN starts >= until;
    ends := date_trunc(width, starts) + ('1 ' || width)::interval;
    name := 'audit_from_' || to_char(starts, 'YYYYMMDD');
    EXECUTE format(
      'CREATE TABLE %1$I (LIKE audit INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
       CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %1$I
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
       ALTER TABLE %1$I ENABLE ROW LEVEL SECURITY;
       CREATE POLICY in_scope ON %1$I USING (
         tenant_id = ANY ((SELECT nullif(current_setting(''glovebox.tenants'', true), '''')::uuid[])::uuid[])
         OR (SELECT current_setting(''glovebox.across_tenants'', true) <> ''''));
       ALTER TABLE audit ATTACH PARTITION %1$I FOR VALUES FROM (%2$L) TO (%3$L)', name, starts, ends);
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;

-- Removes a partition whole, with a proof for each of its sealed ranges that it was the vault. Not while an entry in it is
-- unsealed, or a range has no proof. A backup reads for hours: behind it this gives up at once, and writers go on.
CREATE FUNCTION drop_audit_partition(partition text, at timestamptz, seals bigint[], proofs bytea[]) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET timezone = 'UTC' SET lock_timeout = '200ms' SET search_path FROM CURRENT AS $$
DECLARE
  bounds   record;
  unsealed boolean;
BEGIN
  SELECT * INTO bounds FROM audit_partitions() WHERE name = partition AND ends <= now();
  IF NOT FOUND THEN RETURN false; END IF;
  EXECUTE format('LOCK TABLE ONLY audit, %I IN ACCESS EXCLUSIVE MODE', partition);
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I
                    WHERE id > coalesce((SELECT last_id FROM audit_seal ORDER BY number DESC LIMIT 1), 0))', partition)
     INTO unsealed;
  IF unsealed THEN RAISE EXCEPTION 'entries of % are not sealed', partition; END IF;
  UPDATE audit_seal SET purged_at = drop_audit_partition.at, purge_digest = given.proof
    FROM unnest(seals, proofs) AS given (number, proof)
   WHERE audit_seal.number = given.number AND audit_seal.purged_at IS NULL;
  IF EXISTS (SELECT 1 FROM audit_seal WHERE purged_at IS NULL AND newest_at < bounds.ends
                AND newest_at >= coalesce(bounds.starts, '-infinity')) THEN
    RAISE EXCEPTION 'a range of % has no proof', partition;
  END IF;
  EXECUTE format('DROP TABLE %I', partition);
  RETURN true;
END
$$;

REVOKE EXECUTE ON FUNCTION make_audit_partitions(timestamptz, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION drop_audit_partition(text, timestamptz, bigint[], bytea[]) FROM PUBLIC;
