import type { Erasure } from '../store/erasures.ts';

export const certificateFormat = 'glovebox-erasure-certificate/1';

/**
 * What a certificate says (contract/erasure.md#certificate), before it is signed.
 * @param elsewhere how many rows control-api has erased, by kind
 */
export function certificateOf(
  { tenantId, requestedBy, requestedAt, keysDestroyedAt, destroyedKeys, erased, rowsErasedAt }: Erasure,
  elsewhere: Readonly<Record<string, number>>,
): Readonly<Record<string, unknown>> {
  return {
    format: certificateFormat,
    tenant_id: tenantId,
    requested_by: requestedBy === null ? { type: 'operator' } : { type: 'application', id: requestedBy },
    requested_at: requestedAt.toISOString(),
    keys_destroyed_at: keysDestroyedAt.toISOString(),
    destroyed_keys: destroyedKeys,
    rows_erased_at: rowsErasedAt?.toISOString(),
    erased_rows: { control: sorted(elsewhere), vault: sorted(erased) },
    kept: ['audit log', 'this certificate'],
    // A backup holds the keys wrapped by these. Without them it opens nothing of the tenant.
    backups: {
      readable_until_destroyed: [...new Set(destroyedKeys.flatMap((key) => key.wrapped_by))].toSorted(),
    },
    issued_at: new Date().toISOString(),
  };
}

const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
