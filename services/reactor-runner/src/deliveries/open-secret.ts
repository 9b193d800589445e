import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import type { WebhookSecret } from '@glovebox/protos/published/v1/published';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';

const timeoutMs = 5000;

/** A secret of a webhook in plaintext. @throws AppError `unavailable` while the vault is away, else `internal` */
export async function openSecret(
  vault: GrpcChannel,
  tenantId: string,
  webhookId: string,
  { number, sealed }: WebhookSecret,
): Promise<string> {
  const place = { tenantId, recordId: webhookId, field: `secret.${number}` };
  const items = [{ place, sealed: Buffer.from(sealed) }];
  const options = { deadline: Date.now() + timeoutMs, safe: true };
  const { plaintexts } = await vault.unary(VaultServiceService.open, { items }, options).catch(refuse);
  return plaintexts[0]?.toString() ?? refuse(new Error('the vault did not answer'));
}

function refuse(cause: unknown): never {
  const away = toAppError(cause).code === 'unavailable';
  throw new AppError(away ? 'unavailable' : 'internal', 'The secret of a webhook could not be opened.', {
    cause,
  });
}
