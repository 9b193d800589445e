import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import type { Principal } from '@glovebox/access/principal';
import { AppError } from '@glovebox/platform/errors';
import type { Registry } from '@glovebox/published/registry';

/** Who calls, together with the credential that the vault will resolve for itself. */
export interface Caller {
  readonly principal: Principal;
  readonly apiKey: string;
}

/**
 * The application that an API key belongs to.
 * @throws AppError `unauthenticated` for a missing or unknown key.
 */
export async function identifyCaller(apiKey: string | undefined, registry: Registry): Promise<Caller> {
  if (apiKey === undefined || apiKey === '') {
    throw new AppError('unauthenticated', 'The header SVC-API-KEY is required.');
  }
  const application = isPlausibleApiKey(apiKey)
    ? await registry.applicationByKeyHash(hashKey(apiKey))
    : undefined;
  if (application === undefined) throw new AppError('unauthenticated', 'The API key is not valid.');
  return { principal: application.principal, apiKey };
}
