import type { Handler } from '../http/operation.ts';
import { deedOf } from '../logs/deed.ts';
import type { TenantDependencies } from './dependencies.ts';
import { publishedTenant } from './published.ts';
import { readTenantInput } from './schema.ts';
import { lockTenant, replaceTenant } from './store.ts';
import { tenantTelling } from './telling.ts';
import { type TenantRow, showTenant } from './tenant.ts';

export function updateTenant({ changes, inputLimits }: TenantDependencies): Handler {
  return async ({ principal, body, correlationId }) => {
    const input = readTenantInput(inputLimits, body);
    const row = await changes.apply(
      deedOf({ principal, correlationId }, 'update', 'tenant', principal.tenantId),
      async (tx) => {
        const current = await lockTenant(tx, principal.tenantId);
        const next: TenantRow = {
          ...current,
          ...input,
          version: String(BigInt(current.version) + 1n),
          modified_by: principal.applicationId,
          modified_at: new Date(),
        };
        await replaceTenant(tx, next);
        return { result: next, records: [publishedTenant(next)], tell: [tenantTelling(next)] };
      },
    );
    return { status: 200, body: showTenant(row) };
  };
}
