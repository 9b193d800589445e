-- no transaction: vaults of the version before write their audit log while this is built.
DROP INDEX CONCURRENTLY IF EXISTS audit_egress;

-- Requests of one proxy, reactor or webhook that an egress policy did not allow: its id, a space and the host.
CREATE INDEX CONCURRENTLY audit_egress ON audit (tenant_id, split_part(purpose_id, ' ', 1), at DESC, id DESC)
  WHERE purpose = 'egress';
