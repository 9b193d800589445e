import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';

import type { ApplicationRecord } from './records.ts';

type Find = (id: string) => MaybePromise<ApplicationRecord | undefined>;

/**
 * Gives no expiring application and no session that has ended. Its record may be kept longer. A session ends with the
 * applications that made and authorized it
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
