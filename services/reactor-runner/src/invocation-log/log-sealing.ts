import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { vaultSealing } from '@glovebox/vault-client/vault-sealing';

/** Identifies the invocation that a sealed text belongs to. */
export interface InvocationPlace {
  readonly tenantId: string;
  readonly ownerId: string;
  readonly id: string;
}

/** Seals what code logged. */
export interface LogSealing {
  /** In the order of the texts. @throws AppError */
  seal(texts: readonly { readonly place: InvocationPlace; readonly text: string }[]): Promise<Buffer[]>;
  /** In the order of the items. @throws AppError `unavailable`, or `internal` for a text that does not open */
  open(
    items: readonly { readonly place: InvocationPlace; readonly sealed: Buffer }[],
    correlationId: string,
  ): Promise<string[]>;
}

const timeoutMs = 5000;

export function vaultLogSealing(channel: GrpcChannel): LogSealing {
  const sealing = vaultSealing(channel, timeoutMs, 'keeps the logs');
  return {
    seal: (texts) =>
      sealing.seal(texts.map(({ place, text }) => ({ place: placeOf(place), plaintext: Buffer.from(text) }))),
    async open(items, correlationId) {
      const sealed = items.map((item) => ({ place: placeOf(item.place), sealed: item.sealed }));
      return (await sealing.open(sealed, correlationId)).map(String);
    },
  };
}

function placeOf({ tenantId, ownerId, id }: InvocationPlace) {
  return { tenantId, recordId: ownerId, field: `log.${id}` };
}
