import { compileHosts, covers } from '@glovebox/access/host-set';

import type { CodeReach, EgressReport } from '../../../worker-protocol/code-reach.ts';

/** Checks a host by its name. @returns why a run must not reach it; undefined if it may */
export type CheckPlace = (place: string) => EgressReport['reason'] | undefined;

/** Creates the check for one run. */
export type CreatePlaceCheck = (report: (report: EgressReport) => void) => CheckPlace;

/** Compiles the host patterns of a version of code. Each run reports a host once. */
export function compileReachCheck({ allowed, policy }: CodeReach): CreatePlaceCheck {
  const own = allowed === undefined ? undefined : compileHosts(allowed);
  const tenants = policy === undefined ? undefined : compileHosts(policy.patterns);
  return (report) => {
    const reported = new Set<string>();
    return (place) => {
      const isOutside = own !== undefined && !covers(own, place);
      if (!isOutside && (tenants === undefined || covers(tenants, place))) return undefined;
      const reason = isOutside ? 'allowed_destinations' : 'egress_policy';
      const denied = isOutside || policy?.isEnforced === true;
      if (!reported.has(place)) report({ place, reason, denied });
      reported.add(place);
      return denied ? reason : undefined;
    };
  };
}
