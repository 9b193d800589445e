-- Which request made the change, and where it came from. Null: a command, or the service itself.
ALTER TABLE logs
  ADD COLUMN trace_id       text,
  ADD COLUMN client_address text;
