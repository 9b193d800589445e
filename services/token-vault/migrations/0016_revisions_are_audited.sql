-- The revision of the token that an entry created or changed, or that it deleted: `audit verify` compares it with the row.
ALTER TABLE audit ADD COLUMN revision bigint;

-- Over what a seal is: 1: the columns of the first version; 2: each column that has a value, those of later versions
-- included. Vaults that are a version behind write 1.
ALTER TABLE audit_seal ADD COLUMN format smallint NOT NULL DEFAULT 1;
