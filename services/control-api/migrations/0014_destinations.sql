-- allowed_destinations: the hosts that the code may reach; null: what the tenant's egress policy allows.
-- egress_policy: null is {"mode": "off", "destinations": [], "ephemeral": true}.
ALTER TABLE proxies ADD COLUMN allowed_destinations jsonb;
ALTER TABLE reactors ADD COLUMN allowed_destinations jsonb;
ALTER TABLE tenants ADD COLUMN egress_policy jsonb;
