import { constraintOf } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

const tenantReferences = new Set([
  'proxies_tenant',
  'applications_tenant',
  'reactor_formulas_tenant',
  'tenant_invitations_tenant',
  'webhook_lists_tenant',
]);

/** The caller's tenant was deleted during the request, so the key is no longer valid. */
export function asMissingTenant(error: unknown): never {
  if (!tenantReferences.has(constraintOf(error) ?? '')) throw error;
  throw missingTenant(error);
}

export function missingTenant(cause?: unknown): AppError {
  return new AppError('unauthenticated', 'The API key is not valid.', { cause });
}
