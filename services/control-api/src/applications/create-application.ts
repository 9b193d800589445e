import { randomUUID } from 'node:crypto';

import type { Handler } from '../http/operation.ts';
import { asMissingTenant } from '../tenants/missing-tenant.ts';
import { showApplication } from './application.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { newApplication } from './new-application.ts';
import { readApplicationInput } from './schema.ts';
import { insertApplication } from './store.ts';

export function createApplication({ changes }: ApplicationDependencies): Handler {
  return async ({ principal, body }) => {
    const input = readApplicationInput(body);
    const { tenantId, applicationId: createdBy } = principal;
    const { row, key, keyHash, records } = newApplication(input, { id: randomUUID(), tenantId, createdBy });
    await changes
      .apply(async (tx) => {
        await insertApplication(tx, row, keyHash);
        return { result: undefined, records };
      })
      .catch(asMissingTenant);
    return { status: 201, body: showApplication(row, key), location: `/applications/${row.id}` };
  };
}
