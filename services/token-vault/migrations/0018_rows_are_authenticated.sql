-- An HMAC over every column that a decision or a view reads; null: the envelope is of format 1, without one.
ALTER TABLE token ADD COLUMN tag bytea;
ALTER TABLE client_key ADD COLUMN tag bytea;

-- 1: rows that are sealed under this key may be without a tag. 2: they must have one. The wrapped key is bound to it.
ALTER TABLE tenant_key ADD COLUMN row_format smallint NOT NULL DEFAULT 1 CHECK (row_format IN (1, 2));
