-- Key pairs of tenants, to whose public half clients encrypt.
CREATE TABLE client_key (
  tenant_id          uuid        NOT NULL,
  id                 uuid        NOT NULL,
  -- How the public key is shown: JWK or PEM.
  encoding           text        NOT NULL,
  -- A JWK.
  public_key         json        NOT NULL,
  -- An envelope of the PKCS #8 form, which opens only at (tenant_id, id).
  sealed_private_key bytea       NOT NULL,
  expires_at         timestamptz,
  -- The same instant with the offset in which it was given.
  expires_at_text    text,
  created_by         uuid        NOT NULL,
  created_at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((expires_at IS NULL) = (expires_at_text IS NULL))
);

CREATE INDEX client_key_newest ON client_key (tenant_id, created_at DESC, id);
CREATE INDEX client_key_expires_at ON client_key (expires_at) WHERE expires_at IS NOT NULL;
