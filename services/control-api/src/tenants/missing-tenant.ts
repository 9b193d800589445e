import { AppError } from '@glovebox/platform/errors';
import { constraintOf } from '@glovebox/platform/postgres';

const tenantReferences = new Set(['proxies_tenant', 'applications_tenant']);

/** The caller's tenant was deleted while it created something: by now its key is nobody's. */
export function asMissingTenant(error: unknown): never {
  if (!tenantReferences.has(constraintOf(error) ?? '')) throw error;
  throw new AppError('unauthenticated', 'The API key is not valid.', { cause: error });
}
