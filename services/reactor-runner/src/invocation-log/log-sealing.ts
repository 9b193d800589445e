import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

/** Which invocation a sealed text is of; it opens as no other. */
export interface InvocationPlace {
  readonly tenantId: string;
  readonly ownerId: string;
  readonly id: string;
}

/** The vault, as far as it keeps secret what code logged. */
export interface LogSealing {
  /** In the order of the texts. @throws AppError */
  seal(texts: readonly { readonly place: InvocationPlace; readonly text: string }[]): Promise<Buffer[]>;
  /** In the order of what was sealed. @throws AppError `unavailable`, and `internal` for what does not open */
  open(
    items: readonly { readonly place: InvocationPlace; readonly sealed: Buffer }[],
    correlationId: string,
  ): Promise<string[]>;
}

const timeoutMs = 5000;

export function vaultLogSealing(channel: GrpcChannel): LogSealing {
  return {
    async seal(texts) {
      const items = texts.map(({ place, text }) => ({ place: placeOf(place), plaintext: Buffer.from(text) }));
      const options = { deadline: Date.now() + timeoutMs, safe: true };
      const { sealed } = await channel.unary(VaultServiceService.seal, { items }, options);
      return complete(sealed, items.length);
    },
    async open(sealed, correlationId) {
      const items = sealed.map((item) => ({ place: placeOf(item.place), sealed: item.sealed }));
      const options = { deadline: Date.now() + timeoutMs, safe: true, correlationId };
      const { plaintexts } = await channel
        .unary(VaultServiceService.open, { items }, options)
        .catch((cause: unknown) => refuse(cause));
      return complete(plaintexts, items.length).map(String);
    },
  };
}

function placeOf({ tenantId, ownerId, id }: InvocationPlace) {
  return { tenantId, recordId: ownerId, field: `log.${id}` };
}

function complete(results: Buffer[], expected: number): Buffer[] {
  if (results.length !== expected) refuse(new Error('the vault did not answer every item'));
  return results;
}

/** What the vault says about our items is no answer to the caller, who never sent them. */
function refuse(cause: unknown): never {
  const { code } = toAppError(cause);
  const away = code === 'unavailable' || code === 'deadline_exceeded' || code === 'rate_limited';
  throw away
    ? new AppError('unavailable', 'The vault, which keeps the logs, cannot be reached.', { cause })
    : new AppError('internal', 'The request could not be completed.', { cause });
}
