import { compileHosts, covers } from '@glovebox/access/host-set';

import type { CodeReach, EgressReport } from '../../../worker-protocol/code-reach.ts';

/** Decides on a host by its name. @returns why it must not be reached; undefined: it may */
export type JudgePlace = (place: string) => EgressReport['reason'] | undefined;

/** Makes the decision for each run of one code. */
export type JudgeOfRun = (report: (report: EgressReport) => void) => JudgePlace;

/** Prepares what a code may reach. Each run reports a host once. */
export function judgeReach({ allowed, policy }: CodeReach): JudgeOfRun {
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
