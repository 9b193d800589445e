import { generateApiKey, hashKey } from '@glovebox/access/api-key';
import { AppError } from '@glovebox/platform/errors';

import type { Handler } from '../http/operation.ts';
import { isNotPublished } from '../outbox/changes.ts';
import { type ApplicationRow, showApplication } from './application.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { keyTombstone, publishedApplication } from './published.ts';
import { lockApplication, replaceApplication, replaceKeys } from './store.ts';

/** Gives the application a new key; every older one dies with the answer. */
export function regenerateKey({ changes }: ApplicationDependencies): Handler {
  return async ({ principal, id }) => {
    const key = generateApiKey();
    const keyHash = hashKey(key);
    const replace = changes.apply(async (tx) => {
      const current = await lockApplication(tx, principal.tenantId, id);
      const now = new Date();
      const next: ApplicationRow = {
        ...current,
        version: String(BigInt(current.version) + 1n),
        modified_by: principal.applicationId,
        modified_at: now,
      };
      await replaceApplication(tx, next);
      const removed = await replaceKeys(tx, id, keyHash, now);
      const tombstones = removed.map((old) => keyTombstone(old, next.version));
      return { result: next, records: [...tombstones, ...publishedApplication(next, [keyHash])] };
    });
    const row = await replace.catch(withoutKey);
    return { status: 200, body: showApplication(row, key) };
  };
}

/** Success would mean that the older keys are dead. They are to die all the same; a retry makes one more key. */
function withoutKey(error: unknown): never {
  if (!isNotPublished(error)) throw error;
  throw new AppError('unavailable', revokedLater, { cause: error });
}

const revokedLater =
  'The keys of the application are revoked as soon as that can be published. Repeat the request to get a new one.';
