-- Keys of Ed25519 that sign exports of the audit log. The one with the highest number signs; the earlier ones stay, so
-- that what they have signed can be verified.
CREATE TABLE audit_signing_key (
  number     integer     PRIMARY KEY,
  -- Of the public key (RFC 7638).
  fingerprint text       NOT NULL UNIQUE,
  -- The private key, wrapped as data keys are.
  key_id     text        NOT NULL,
  wrapped    bytea       NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
