-- The priority of the access rule that decided, where a value was to be sent (host:port), and where the request came from.
ALTER TABLE audit
  ADD COLUMN rule           integer,
  ADD COLUMN destination    text,
  ADD COLUMN client_address text;
