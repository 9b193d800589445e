-- How many equal requests an entry stands for; null: one.
ALTER TABLE audit ADD COLUMN count integer;

CREATE OR REPLACE VIEW searchable_audit AS
  SELECT id, at, tenant_id, application_id, operation, token_id, outcome, reason, purpose, purpose_id, correlation_id,
         rule, destination, client_address, count
    FROM audit
   WHERE tenant_id = ANY ((SELECT nullif(current_setting('glovebox.tenants', true), '')::uuid[])::uuid[])
      OR (SELECT current_setting('glovebox.across_tenants', true) <> '');
