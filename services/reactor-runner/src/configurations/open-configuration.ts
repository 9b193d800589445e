import type { VaultSealing } from '@glovebox/vault-client/vault-sealing';

import type { SealedRecord } from './version-cache.ts';

/**
 * The values of a record's configuration, by name.
 * @throws AppError `unavailable` while the vault is away, `internal` for values that do not open
 */
export async function openConfiguration(
  sealing: Pick<VaultSealing, 'open'>,
  { id, tenantId, sealedConfiguration }: SealedRecord,
  correlationId: string,
): Promise<Record<string, string>> {
  const entries = Object.entries(sealedConfiguration);
  if (entries.length === 0) return {};
  const items = entries.map(([name, sealed]) => ({
    place: { tenantId, recordId: id, field: `configuration.${name}` },
    sealed: Buffer.from(sealed),
  }));
  const plaintexts = await sealing.open(items, correlationId);
  return Object.fromEntries(entries.map(([name], at) => [name, String(plaintexts[at])]));
}
