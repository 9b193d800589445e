-- When the security code of a card goes; null for a token without one. The default stands for rows that were written
-- without a thought of it: those from before, and those of a vault that is a version behind. Any of them may hold one,
-- until a round of removals has looked.
ALTER TABLE token ADD COLUMN cvc_expires_at timestamptz DEFAULT now() + interval '1 hour';

CREATE INDEX token_cvc_expires_at ON token (cvc_expires_at) WHERE cvc_expires_at IS NOT NULL;
