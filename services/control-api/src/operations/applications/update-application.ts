import { type ApplicationRow, showApplication } from '../../applications/fields.ts';
import { readKeys } from '../../applications/key-store.ts';
import { applicationEvent } from '../../applications/published.ts';
import { publishedApplication } from '../../applications/published.ts';
import { findApplication, lockApplication, replaceApplication } from '../../applications/store.ts';
import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireHeld } from './require-held.ts';
import { readApplicationChange } from './schema.ts';

/** Replaces all but the type and the keys. */
export async function updateApplication(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { principal, id, body } = call;
  const { postgres, changes } = dependencies;
  const { type } = await findApplication(postgres, principal.tenantId, id);
  const { canCreateExpiring, ...change } = readApplicationChange(body, type, dependencies);
  const application = await changes.apply(auditEvent(call, 'update', 'application', id), async (tx) => {
    const current = await lockApplication(tx, principal.tenantId, id);
    requireHeld(principal, [...current.permissions, ...change.permissions]);
    const next: ApplicationRow = {
      ...current,
      ...change,
      can_create_expiring_applications: canCreateExpiring,
      version: String(BigInt(current.version) + 1n),
      modified_by: principal.applicationId,
      modified_at: new Date(),
    };
    await replaceApplication(tx, next);
    const keys = await readKeys(tx, id);
    const hashes = keys.map((key) => key.key_hash);
    return {
      result: { ...next, keys },
      records: publishedApplication(next, hashes),
      events: [applicationEvent('updated', next)],
    };
  });
  return { status: 200, body: showApplication(application) };
}
