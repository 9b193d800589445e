import { AppError } from '@glovebox/platform/errors/app-error';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ReactorRecord } from '@glovebox/published/records';

/** A published reactor, and the application that its code acts as. */
export interface ResolvedReactor extends ReactorRecord {
  /** Undefined without an application, and after the application was deleted (contract/choices.md#deleted-application-of-a-proxy-or-reactor). */
  readonly delegation: Delegation | undefined;
}

export const unknownReactor = () => new AppError('not_found', 'There is no reactor with this id.');

/** @throws AppError `not_found`, `unavailable` */
export async function resolveReactor(
  registry: Pick<PublishedRecords, 'reactorById' | 'applicationById'>,
  id: string,
): Promise<ResolvedReactor> {
  const reactor = await registry.reactorById(id);
  if (reactor === undefined) throw unknownReactor();
  const { applicationId, tenantId } = reactor;
  const application = applicationId === '' ? undefined : await registry.applicationById(applicationId);
  const exists = application?.principal.tenantId === tenantId;
  return { ...reactor, delegation: exists ? delegationOf(reactor) : undefined };
}

/** Lets code act as the application that this version of a reactor names. */
export function delegationOf({ id, version, applicationId }: ReactorRecord): Delegation {
  return { owner: { $case: 'reactorId', value: id }, version, applicationId };
}
