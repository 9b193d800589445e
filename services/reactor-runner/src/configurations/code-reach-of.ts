import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { HostPatterns } from '@glovebox/protos/published/v1/published';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { TenantEgress } from '@glovebox/published/tenant-egress';

import type { CodeReach } from '../worker-protocol/code-reach.ts';

/**
 * What the code of a proxy or reactor may reach now (contract/destinations.md#allowed-destinations-of-code).
 * @param allowed the list of its record
 * @returns undefined for what the operator allows; otherwise the same object as long as neither list changes
 * @throws AppError `not_found` when the tenant is gone, since its policy is unknown then
 */
export function codeReachOf(
  published: Pick<PublishedRecords, 'tenantById'>,
  tenantId: string,
  allowed: HostPatterns | undefined,
): MaybePromise<CodeReach | undefined> {
  return andThen(published.tenantById(tenantId), (tenant) => {
    if (tenant === undefined) throw new AppError('not_found', 'There is no such tenant.');
    const { egress } = tenant;
    return allowed === undefined && egress === undefined ? undefined : reachOf(allowed, egress);
  });
}

const none = {};
/** By the objects of the published records, which last until a record changes. */
const reaches = new WeakMap<object, WeakMap<object, CodeReach>>();

function reachOf(allowed: HostPatterns | undefined, egress: TenantEgress | undefined): CodeReach {
  let ofList = reaches.get(allowed ?? none);
  if (ofList === undefined) reaches.set(allowed ?? none, (ofList = new WeakMap()));
  let reach = ofList.get(egress ?? none);
  if (reach === undefined) {
    reach = {
      ...(allowed === undefined ? {} : { allowed: allowed.patterns }),
      ...(egress === undefined
        ? {}
        : { policy: { patterns: egress.patterns, isEnforced: egress.isEnforced } }),
    };
    ofList.set(egress ?? none, reach);
  }
  return reach;
}
