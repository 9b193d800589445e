import { randomBytes } from 'node:crypto';

import { type SealedSecret, type Sealer, placeOf } from '../secrets/sealer.ts';
import type { WebhookRow } from './fields.ts';

/** How long deliveries are signed with the previous secret too. */
export const overlapMs = 24 * 60 * 60 * 1000;

/** In the format of Standard Webhooks: a prefix, then the key in base64. */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export async function sealSecret(
  sealer: Sealer,
  { tenantId, id, number }: { readonly tenantId: string; readonly id: string; readonly number: number },
  plaintext: string,
  correlationId: string,
): Promise<Buffer> {
  const place = placeOfSecret({ tenantId, id, number });
  const [sealed] = await sealer.seal([{ place, plaintext }], correlationId);
  return sealed as Buffer;
}

function placeOfSecret({ tenantId, id, number }: { tenantId: string; id: string; number: number }) {
  return placeOf({ tenantId, recordId: id }, `secret.${number}`);
}

/** The present secret, and the previous one while it still signs. */
export function sealedSecretsOf(row: WebhookRow): SealedSecret[] {
  const { tenant_id: tenantId, id, secret_number: number, sealed_previous_secret: previous } = row;
  return [
    { place: placeOfSecret({ tenantId, id, number }), sealed: row.sealed_secret },
    ...(previous === null
      ? []
      : [{ place: placeOfSecret({ tenantId, id, number: number - 1 }), sealed: previous }]),
  ];
}
