import { randomUUID } from 'node:crypto';

import type { Principal } from '@glovebox/access/principal';
import { holdsAnywhere } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';

import { type ApplicationRow, showApplication } from '../../applications/fields.ts';
import { newKey } from '../../applications/key.ts';
import { newApplication } from '../../applications/new-application.ts';
import { applicationEvent } from '../../applications/published.ts';
import { insertApplication } from '../../applications/store.ts';
import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type Changes, isNotPublished } from '../../publication/changes.ts';
import { asMissingTenant } from '../../tenants/missing-tenant.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireCreator } from './require-creator.ts';
import { requireHeld } from './require-held.ts';
import { readApplicationInput } from './schema.ts';
import { withdrawApplication } from './withdraw-application.ts';

export async function createApplication(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { principal, body } = call;
  const { changes, expiring } = dependencies;
  if (!mayCreateAny(principal)) requireExpiring(body);
  const { createKey, ...input } = readApplicationInput(body, dependencies);
  requireHeld(principal, input.permissions);
  const { tenantId, applicationId: createdBy } = principal;
  const key = createKey ? newKey(createdBy) : undefined;
  const identity = { id: randomUUID(), tenantId, createdBy };
  const { row, keys, records } = newApplication(input, identity, key === undefined ? [] : [key.row]);
  await changes
    .apply(auditEvent(call, 'create', 'application', row.id), async (tx) => {
      if (input.type === 'expiring') await requireCreator(tx, principal, input, expiring);
      await insertApplication(tx, row, keys);
      return { result: undefined, records, events: [applicationEvent('created', row)] };
    })
    .catch((error: unknown) => takeBack(changes, call, row, error))
    .catch(asMissingTenant);
  const shown = showApplication({ ...row, keys }, key?.text);
  return { status: 201, body: shown, location: `/applications/${row.id}` };
}

function mayCreateAny({ grants }: Principal): boolean {
  return holdsAnywhere(grants, 'application:create');
}

/** A caller that may create only expiring applications does not learn what is wrong with another one. */
function requireExpiring(body: unknown): void {
  if ((body as { readonly type?: unknown }).type === 'expiring') return;
  throw new AppError('permission_denied', 'The permission application:create is required.');
}

/** The caller does not get its key, and a retry would create a second application. */
async function takeBack(
  changes: Changes,
  call: Pick<Call, 'principal' | 'correlationId' | 'clientAddress'>,
  { tenant_id, id }: ApplicationRow,
  error: unknown,
): Promise<never> {
  if (!isNotPublished(error)) throw error;
  const taken = changes.applyLater(auditEvent(call, 'delete', 'application', id), (tx) =>
    withdrawApplication(tx, tenant_id, id),
  );
  // If it cannot be withdrawn, the original error says that it is stored.
  await taken.catch(() => Promise.reject(error as Error));
  throw new AppError('unavailable', 'The application could not be published, so it was not created.', {
    cause: error,
  });
}
