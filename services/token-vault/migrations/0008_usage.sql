-- Which tokens something was done with in which month (its first day, in UTC), gathered from the audit log, which may be
-- removed earlier. Ids as they stand there, and no more.
CREATE TABLE token_activity (
  month     date NOT NULL,
  tenant_id uuid NOT NULL,
  token_id  text NOT NULL,
  PRIMARY KEY (month, tenant_id, token_id)
);

-- What was done before this moment is gathered.
CREATE TABLE token_activity_progress (
  only_row       boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  gathered_until timestamptz NOT NULL
);

INSERT INTO token_activity_progress (gathered_until)
SELECT coalesce(min(at), now() - interval '2 minutes') FROM audit;

-- All tenants' rows of a time; they lie in its order.
CREATE INDEX audit_at ON audit USING brin (at) WITH (autosummarize = on);
