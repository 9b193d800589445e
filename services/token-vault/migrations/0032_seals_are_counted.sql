-- How many values a data key may have sealed: vaults reserve seals before they use them, so it is never too low. Null: of an
-- index key, or the key was made before seals were counted; a vault that counts seals nothing under it.
ALTER TABLE tenant_key ADD COLUMN seals bigint CHECK (seals >= 0);
