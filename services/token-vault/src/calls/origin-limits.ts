import type { Principal } from '@glovebox/access/principal';
import type { UseLimits } from '@glovebox/access/use-limits';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord } from '@glovebox/published/records';

const none: readonly string[] = [];

/**
 * The caller with all limits that its uses count towards: its own, and those of the applications that made or authorized
 * it, so that a stolen key gains nothing by making more keys (contract/tenants.md#use-limits).
 */
export function withOriginLimits(
  published: Pick<PublishedRecords, 'applicationById'>,
  { principal, session, madeBy }: ApplicationRecord,
): MaybePromise<Principal> {
  const origins = session?.originIds ?? (madeBy === undefined ? none : [madeBy]);
  if (origins.length === 0) return principal;
  const own = principal.useLimits ?? [];
  const all = origins.reduce<MaybePromise<readonly UseLimits[]>>(
    (limits, id) =>
      andThen(limits, (known) =>
        andThen(published.applicationById(id), (origin) => limitsWith(known, origin, principal.tenantId)),
      ),
    own,
  );
  return andThen(all, (useLimits) => (useLimits === own ? principal : { ...principal, useLimits }));
}

/** An origin that is gone has no limits: it has ended what it made. */
function limitsWith(
  known: readonly UseLimits[],
  origin: ApplicationRecord | undefined,
  tenantId: string,
): readonly UseLimits[] {
  const more = origin?.principal.tenantId === tenantId ? origin.principal.useLimits : undefined;
  return more === undefined ? known : [...known, ...more];
}
