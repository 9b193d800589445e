-- request_steps and response_steps: an object for one transform, an array for a list of them; null where there is none
-- or nothing but code, which stands in its column in any case.
ALTER TABLE proxies
  ADD COLUMN disable_detokenization boolean NOT NULL DEFAULT false,
  ADD COLUMN timeout_seconds        integer,
  ADD COLUMN request_steps          jsonb,
  ADD COLUMN response_steps         jsonb;
