-- What a person sees of their own sessions. id: names a session without being its secret. A session of a service before
-- this migration, and of one beside it, gets an id by the default and says nothing of its browser.
ALTER TABLE console_sessions
  ADD COLUMN id             uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN client_address text,
  ADD COLUMN user_agent     text;
