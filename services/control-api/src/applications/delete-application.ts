import type { Handler } from '../http/operation.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { applicationTombstones } from './published.ts';
import { lockApplication, readKeyHashes, removeApplication } from './store.ts';

/** Proxies that name it keep working, without an application. */
export function deleteApplication({ changes }: ApplicationDependencies): Handler {
  return async ({ principal, id }) => {
    await changes.apply(async (tx) => {
      const row = await lockApplication(tx, principal.tenantId, id);
      const keyHashes = await readKeyHashes(tx, id);
      await removeApplication(tx, id);
      const version = String(BigInt(row.version) + 1n);
      return { result: undefined, records: applicationTombstones(id, keyHashes, version) };
    });
    return { status: 204 };
  };
}
