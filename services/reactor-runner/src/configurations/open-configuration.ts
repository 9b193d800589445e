import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

import type { SealedRecord } from './version-cache.ts';

const timeoutMs = 5000;

/**
 * The values of a record's configuration, by name.
 * @throws AppError `unavailable` while the vault is away, `internal` for values that do not open.
 */
export async function openConfiguration(
  vault: GrpcChannel,
  { id, tenantId, sealedConfiguration }: SealedRecord,
  correlationId: string,
): Promise<Record<string, string>> {
  const entries = Object.entries(sealedConfiguration);
  if (entries.length === 0) return {};
  const items = entries.map(([name, sealed]) => ({
    place: { tenantId, recordId: id, field: `configuration.${name}` },
    sealed: Buffer.from(sealed),
  }));
  const options = { deadline: Date.now() + timeoutMs, safe: true, correlationId };
  const { plaintexts } = await vault
    .unary(VaultServiceService.open, { items }, options)
    .catch((cause: unknown) => refuse(cause));
  if (plaintexts.length !== items.length) refuse(new Error('the vault did not answer every item'));
  return Object.fromEntries(entries.map(([name], at) => [name, (plaintexts[at] as Buffer).toString()]));
}

/** What the vault says about our items is no answer to the caller, who never sent them. */
function refuse(cause: unknown): never {
  const { code } = toAppError(cause);
  const away = code === 'unavailable' || code === 'deadline_exceeded' || code === 'rate_limited';
  throw away
    ? new AppError('unavailable', 'The vault, which keeps the configuration, cannot be reached.', { cause })
    : new AppError('internal', 'The request could not be completed.', { cause });
}
