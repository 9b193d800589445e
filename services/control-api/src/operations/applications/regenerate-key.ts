import { AppError } from '@glovebox/platform/errors/app-error';

import { showApplication } from '../../applications/fields.ts';
import { readKeys } from '../../applications/key-store.ts';
import { newKey } from '../../applications/key.ts';
import { keyEvent } from '../../applications/published.ts';
import { lockApplication } from '../../applications/store.ts';
import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { isNotPublished } from '../../publication/changes.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeKeys } from './change-keys.ts';
import { requireHeld } from './require-held.ts';

/** Replaces the key of the application; the older one is invalid from the answer on. */
export async function regenerateKey({ changes }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id } = call;
  const key = newKey(principal.applicationId);
  const replace = changes.apply(auditEvent(call, 'regenerate_key', 'application', id), async (tx) => {
    const current = await lockApplication(tx, principal.tenantId, id);
    requireHeld(principal, current.permissions);
    const removed = await readKeys(tx, id);
    if (removed.length > 1) throw ambiguous();
    const modified = { ...current, modified_by: principal.applicationId, modified_at: new Date() };
    const change = { keys: removed, removed, added: [key.row] };
    const { next, keys, records } = await changeKeys(tx, modified, change);
    const events = [
      ...removed.map((old) => keyEvent('deleted', next, old)),
      keyEvent('created', next, key.row),
    ];
    return { result: { ...next, keys }, records, events };
  });
  const application = await replace.catch(withoutKey);
  return { status: 200, body: showApplication(application, key.text) };
}

function ambiguous(): AppError {
  return new AppError(
    'unprocessable',
    'The application has several keys: create a new one and delete the one that it is to replace.',
  );
}

/** A success answer would mean that the older key is revoked. It is revoked later; a retry creates one more key. */
function withoutKey(error: unknown): never {
  if (!isNotPublished(error)) throw error;
  throw new AppError('unavailable', revokedLater, { cause: error });
}

const revokedLater =
  'The key of the application is revoked as soon as that can be published. Repeat the request to get a new one.';
