import { AppError } from '@glovebox/platform/errors/app-error';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ReactorRecord } from '@glovebox/published/records';
import { firstSecondVersion } from '@glovebox/published/second-version';

import { type ChosenReactor, type DecidesBy, type InRollout, chooseVersion } from './choose-version.ts';

/** A published reactor, and the application that its code acts as. */
export interface ResolvedReactor extends ReactorRecord {
  /** Undefined without an application, and after the application was deleted (contract/choices.md#deleted-application-of-a-proxy-or-reactor). */
  readonly delegation: Delegation | undefined;
  readonly rollout?: InRollout | undefined;
}

export const unknownReactor = () => new AppError('not_found', 'There is no reactor with this id.');

type Registry = Pick<PublishedRecords, 'reactorById' | 'reactorRolloutById' | 'applicationById'>;

/** The version of a reactor that an invocation gets. @throws AppError `not_found`, `unavailable` */
export async function resolveReactor(
  published: Registry,
  id: string,
  by?: DecidesBy,
): Promise<ResolvedReactor> {
  const present = await published.reactorById(id);
  if (present === undefined) throw unknownReactor();
  return acting(published, chooseVersion(present, await published.reactorRolloutById(id), by));
}

/**
 * The version of a rollout that an accepted invocation has got, also when the rollout has ended; otherwise the reactor as it is now.
 * @throws AppError `not_found`, `unavailable`
 */
export async function resolveAccepted(
  published: Registry,
  id: string,
  { version, rollout }: { readonly version: number; readonly rollout?: InRollout | undefined },
): Promise<ResolvedReactor> {
  const reactor = await published.reactorById(id, version >= firstSecondVersion ? version : 0);
  if (reactor === undefined) throw unknownReactor();
  return acting(published, { reactor, rollout });
}

async function acting(published: Registry, { reactor, rollout }: ChosenReactor): Promise<ResolvedReactor> {
  const exists = await hasApplication(published, reactor);
  return { ...reactor, rollout, delegation: exists ? delegationOf(reactor) : undefined };
}

/** Whether its code acts as an application, which is there. @throws AppError `unavailable` */
export async function hasApplication(
  published: Pick<Registry, 'applicationById'>,
  { applicationId, tenantId }: Pick<ReactorRecord, 'applicationId' | 'tenantId'>,
): Promise<boolean> {
  const application = applicationId === '' ? undefined : await published.applicationById(applicationId);
  return application?.principal.tenantId === tenantId;
}

/** Lets code act as the application that this version of a reactor names. */
export function delegationOf({ id, version, applicationId }: ReactorRecord): Delegation {
  return { owner: { $case: 'reactorId', value: id }, version, applicationId };
}
