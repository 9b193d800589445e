-- Tenants ask who did something, what was done, and in which request; each newest first.
CREATE INDEX logs_of_actor ON logs (tenant_id, actor_id, at DESC, id DESC);
CREATE INDEX logs_of_operation ON logs (tenant_id, operation, at DESC, id DESC);
CREATE INDEX logs_of_trace ON logs (tenant_id, trace_id, at DESC, id DESC) WHERE trace_id IS NOT NULL;
