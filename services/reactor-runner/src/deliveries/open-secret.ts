import type { WebhookSecret } from '@glovebox/protos/published/v1/published';
import type { VaultSealing } from '@glovebox/vault-client/vault-sealing';

/** A secret of a webhook in plaintext. @throws AppError as `VaultSealing.open` */
export async function openSecret(
  sealing: Pick<VaultSealing, 'open'>,
  tenantId: string,
  webhookId: string,
  { number, sealed }: WebhookSecret,
): Promise<string> {
  const place = { tenantId, recordId: webhookId, field: `secret.${number}` };
  const [secret] = await sealing.open([{ place, sealed: Buffer.from(sealed) }]);
  return String(secret);
}
