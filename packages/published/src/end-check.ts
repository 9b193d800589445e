import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';

import type { ApplicationRecord } from './records.ts';

type Find = (id: string) => MaybePromise<ApplicationRecord | undefined>;

/**
 * Passes on what it is given, but no expiring application and no session that has ended: at the moment at which it
 * expires, however long its record is kept, and a session with the applications that it comes from
 * (contract/tenants.md#expiring-applications and contract/tenants.md#sessions).
 */
export function endCheck(find: Find, now = Date.now) {
  return (record: ApplicationRecord | undefined): MaybePromise<ApplicationRecord | undefined> => {
    if (record?.expiresAt !== undefined && now() >= record.expiresAt) return undefined;
    if (record?.session === undefined) return record;
    if (now() >= record.session.expiresAt) return undefined;
    return record.session.originIds.reduce<MaybePromise<ApplicationRecord | undefined>>(
      (still, id) =>
        andThen(still, (known) =>
          known === undefined
            ? undefined
            : andThen(find(id), (origin) => (comesFrom(known, origin) ? known : undefined)),
        ),
      record,
    );
  };
}

function comesFrom({ principal }: ApplicationRecord, origin: ApplicationRecord | undefined): boolean {
  return (
    origin !== undefined && origin.session === undefined && origin.principal.tenantId === principal.tenantId
  );
}
