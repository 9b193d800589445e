import { randomUUID } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors';

import type { Handler } from '../http/operation.ts';
import { type Changes, isNotPublished } from '../outbox/changes.ts';
import { asMissingTenant } from '../tenants/missing-tenant.ts';
import { type ApplicationRow, showApplication } from './application.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { newApplication } from './new-application.ts';
import { readApplicationInput } from './schema.ts';
import { insertApplication } from './store.ts';
import { withdrawApplication } from './withdraw-application.ts';

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
      .catch((error: unknown) => takeBack(changes, row, error))
      .catch(asMissingTenant);
    return { status: 201, body: showApplication(row, key), location: `/applications/${row.id}` };
  };
}

/** Its key would be known to nobody, and a retry would make another one beside it. */
async function takeBack(changes: Changes, { tenant_id, id }: ApplicationRow, error: unknown): Promise<never> {
  if (!isNotPublished(error)) throw error;
  const taken = changes.applyLater((tx) => withdrawApplication(tx, tenant_id, id));
  // As long as it stands, the error says so.
  await taken.catch(() => Promise.reject(error as Error));
  throw new AppError('unavailable', 'The application could not be published, so it was not created.', {
    cause: error,
  });
}
