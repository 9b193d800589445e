import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { type OpenItem, type SealItem, VaultServiceService } from '@glovebox/protos/vault/v1/vault';

/** Seals and opens through the vault. A sealed value opens only under the place that it was sealed for. */
export interface VaultSealing {
  /** In the order of the items. @throws AppError */
  seal(items: SealItem[]): Promise<Buffer[]>;
  /** Stand-ins of entries of configurations, in the order of the items. @throws AppError as `open` */
  standIn(items: OpenItem[], correlationId?: string): Promise<Buffer[]>;
  /** In the order of the items. @throws AppError `unavailable`; `integrity_violation` for a value that does not open */
  open(items: OpenItem[], correlationId?: string): Promise<Buffer[]>;
}

/** @param contents names what is sealed, for errors: `keeps the logs` */
export function vaultSealing(channel: GrpcChannel, timeoutMs: number, contents: string): VaultSealing {
  const options = (correlationId?: string) => ({
    deadline: Date.now() + timeoutMs,
    safe: true,
    ...(correlationId === undefined ? {} : { correlationId }),
  });
  return {
    async seal(items) {
      const call = channel.unary(VaultServiceService.seal, { items }, options());
      const { sealed } = await call.catch(refuse);
      return complete(sealed, items.length);
    },
    async standIn(items, correlationId) {
      const call = channel.unary(VaultServiceService.standIn, { items }, options(correlationId));
      const { standIns } = await call.catch(refuse);
      return complete(standIns, items.length);
    },
    async open(items, correlationId) {
      const call = channel.unary(VaultServiceService.open, { items }, options(correlationId));
      const { plaintexts } = await call.catch(refuse);
      return complete(plaintexts, items.length);
    },
  };

  function complete(results: Buffer[], expected: number): Buffer[] {
    return results.length === expected ? results : refuse(new Error('the vault did not answer every item'));
  }

  /** The caller did not send these items, so the vault's own error would mean nothing to it. */
  function refuse(cause: unknown): never {
    const failure = toAppError(cause);
    const { code } = failure;
    if (code === 'integrity_violation' || code === 'vault_sealed') throw failure;
    const isAway = code === 'unavailable' || code === 'deadline_exceeded' || code === 'rate_limited';
    throw isAway
      ? new AppError('unavailable', `The vault, which ${contents}, cannot be reached.`, { cause })
      : new AppError('internal', 'The request could not be completed.', { cause });
  }
}
