import { AppError } from '@glovebox/platform/errors/app-error';

import { readKeys } from '../../applications/key-store.ts';
import { newKey, showKey } from '../../applications/key.ts';
import { keyEvent } from '../../applications/published.ts';
import { lockApplication } from '../../applications/store.ts';
import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { isNotPublished } from '../../publication/changes.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeKeys } from './change-keys.ts';
import { requireHeld } from './require-held.ts';
import { withdrawKey } from './withdraw-key.ts';

/** Adds a key; the existing keys keep working. */
export async function createKey(
  { changes, inputLimits: { keys: maxKeys } }: Dependencies,
  call: Call,
): Promise<Reply> {
  const { principal, id } = call;
  const { tenantId, applicationId: actor } = principal;
  const { row, text } = newKey(actor);
  const added = changes.apply(auditEvent(call, 'create_key', 'application', id), async (tx) => {
    const current = await lockApplication(tx, tenantId, id);
    requireHeld(call.principal, current.permissions);
    const keys = await readKeys(tx, id);
    if (keys.length >= maxKeys) throw full(maxKeys);
    const { records } = await changeKeys(tx, current, { keys, removed: [], added: [row] });
    return { result: undefined, records, events: [keyEvent('created', current, row)] };
  });
  await added.catch(async (error: unknown) => {
    if (!isNotPublished(error)) throw error;
    // The caller does not get the key, so it is withdrawn. If that fails, the original error says that it is stored.
    const taken = changes.applyLater(auditEvent(call, 'delete_key', 'application', id), (tx) =>
      withdrawKey(tx, { tenantId, applicationId: id, id: row.id }),
    );
    await taken.catch(() => Promise.reject(error));
    throw new AppError('unavailable', 'The key could not be published, so it was not created.', {
      cause: error,
    });
  });
  return { status: 201, body: showKey(row, text), location: `/applications/${id}/keys/${row.id}` };
}

function full(maxKeys: number): AppError {
  return new AppError(
    'unprocessable',
    `An application has at most ${maxKeys} keys. Delete one to create another.`,
  );
}
