import { longestContainer } from '@glovebox/access/access-limits';
import { parseContainer } from '@glovebox/access/container';
import { validationError } from '@glovebox/platform/errors/app-error';
import type { ListContainersRequest, ListContainersResponse } from '@glovebox/protos/vault/v1/vault';

import type { VaultContext } from '../../context/vault-context.ts';
import { selectContainersBelow } from '../../store/containers.ts';
import { isUuid } from '../../values/uuid.ts';

/** Of one parent. */
const mostShown = 200;

/** Lists the containers directly below one, of tokens that there are (contract/people.md#tokens). */
export async function listContainers(
  vault: Pick<VaultContext, 'postgres' | 'queries' | 'barrier'>,
  { tenantId, parent }: ListContainersRequest,
): Promise<ListContainersResponse> {
  vault.barrier.requireOpen();
  if (!isUuid(tenantId)) throw validationError({ tenant_id: ['must be a UUID'] });
  const under = parseContainer(parent, longestContainer);
  if (under === null) throw validationError({ parent: ['must be a path such as /pci/high/'] });
  const db = vault.postgres.forTenant(tenantId);
  const containers = await vault.queries.run(tenantId, () =>
    selectContainersBelow(db, tenantId, under, mostShown + 1),
  );
  return { containers: containers.slice(0, mostShown), more: containers.length > mostShown };
}
