import { AppError } from '@glovebox/platform/errors';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { ApplicationRecord } from '@glovebox/published/records';
import type { Registry } from '@glovebox/published/registry';

/**
 * The application that a published proxy or reactor names (interface.md section 5, point 7). The runner only says
 * which proxy or reactor the code belongs to: it can act as no application that none of them names.
 * @throws AppError `permission_denied`, `unauthenticated`
 */
export async function resolveDelegation(
  registry: Registry,
  { owner }: Delegation,
  peer: string,
): Promise<ApplicationRecord> {
  if (peer !== 'reactor-runner') {
    throw new AppError(
      'permission_denied',
      'Only user code may act as the application of a proxy or reactor.',
    );
  }
  const resource =
    owner?.$case === 'proxyKeyHash'
      ? await registry.proxyByKeyHash(owner.value)
      : await registry.reactorById(owner?.value ?? '');
  const named = resource?.applicationId ?? '';
  const application = named === '' ? undefined : await registry.applicationById(named);
  if (application === undefined || application.principal.tenantId !== resource?.tenantId) {
    throw new AppError('unauthenticated', 'The application that the code acts as does not exist any more.');
  }
  return application;
}
