-- How a proxy and its destination identify themselves to each other: {client_certificate, sealed_client_key, ca, pins}.
-- Null: the destination by a public authority, the proxy not at all.
ALTER TABLE proxies ADD COLUMN destination_tls jsonb;
