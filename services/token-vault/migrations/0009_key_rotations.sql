-- Data keys that are being rotated: tokens are not all sealed under this version yet. `whole` tells a rotation of all
-- tenants from that of one.
CREATE TABLE key_rotation (
  tenant_id uuid    PRIMARY KEY,
  version   integer NOT NULL,
  whole     boolean NOT NULL
);

-- Under which version of the tenant's data key an envelope is sealed (crypto/envelope.ts).
CREATE FUNCTION envelope_key_version(envelope bytea) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN octet_length(envelope) > 5
              THEN ('x' || encode(substring(envelope FROM 2 FOR 4), 'hex'))::bit(32)::bigint END;
