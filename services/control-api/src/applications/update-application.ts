import type { Handler } from '../http/operation.ts';
import { type ApplicationRow, showApplication } from './application.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { publishedApplication } from './published.ts';
import { readApplicationChange } from './schema.ts';
import { findApplication, lockApplication, readKeyHashes, replaceApplication } from './store.ts';

/** Replaces all but the type and the keys. */
export function updateApplication({ postgres, changes }: ApplicationDependencies): Handler {
  return async ({ principal, id, body }) => {
    const { type } = await findApplication(postgres, principal.tenantId, id);
    const change = readApplicationChange(body, type);
    const row = await changes.apply(async (tx) => {
      const current = await lockApplication(tx, principal.tenantId, id);
      const next: ApplicationRow = {
        ...current,
        ...change,
        version: String(BigInt(current.version) + 1n),
        modified_by: principal.applicationId,
        modified_at: new Date(),
      };
      await replaceApplication(tx, next);
      const keyHashes = await readKeyHashes(tx, id);
      return { result: next, records: publishedApplication(next, keyHashes) };
    });
    return { status: 200, body: showApplication(row) };
  };
}
