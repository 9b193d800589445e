-- How many tokens an application may use in an hour. Null: any number.
ALTER TABLE applications ADD COLUMN limits jsonb;
