import type { Delegation } from '@glovebox/protos/vault/v1/vault';

import type { CodeRun } from '../scheduling/tenant.ts';
import type { CodeReach } from '../worker-protocol/code-reach.ts';

/** Nothing is reached: each attempt is refused and reported. */
const nowhere: CodeReach = { allowed: [] };
/** Without an identity, so the vault refuses it. */
const nobody: Delegation = { owner: undefined, version: 0, applicationId: '' };

/**
 * What keeps a run from every effect (contract/dry-runs.md#code): no host is reached, and calls by `bt` are refused.
 * @param hasBt whether the code would have it
 * @param note receives what the run tries: `host:port`, or `bt` and the route
 */
export function withoutEffect(
  hasBt: boolean,
  note: (tried: string) => void,
): Pick<CodeRun, 'reach' | 'onEgress' | 'onRefusedBt' | 'delegation'> {
  return {
    reach: nowhere,
    onEgress: ({ place }) => note(place),
    onRefusedBt: (route) => note(`bt ${route}`),
    ...(hasBt ? { delegation: nobody } : {}),
  };
}
