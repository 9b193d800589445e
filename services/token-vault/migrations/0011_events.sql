-- Events that webhooks are to be told of, written with the change of a token that they tell of, until they have been
-- handed on. The text is JSON as it will be delivered: never data of a token.
CREATE TABLE event_outbox (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event      text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
