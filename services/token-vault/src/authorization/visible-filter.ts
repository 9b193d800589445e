import type { TokenPermission } from '@glovebox/access/permission';
import { type Grants, grantsFor } from '@glovebox/access/rules';
import type { Bounds } from '@glovebox/access/scope';

import { type TokenFilter, noToken } from '../store/token-filter.ts';

/** Selects the tokens on which grants allow a permission: for each token the first matching grant decides. */
export function visibleFilter(grants: Grants, permission: TokenPermission): TokenFilter {
  let filter = noToken;
  for (const { bounds, decision } of grantsFor(grants, permission).toReversed()) {
    const within = withinFilter(bounds);
    filter = decision.allowed
      ? { kind: 'or', of: [within, filter] }
      : { kind: 'and', of: [{ kind: 'not', of: within }, filter] };
  }
  return filter;
}

function withinFilter({ containerPrefix, container, idPrefix, id }: Bounds): TokenFilter {
  const of: TokenFilter[] = [{ kind: 'container_prefix', value: containerPrefix }];
  if (container !== undefined) of.push({ kind: 'container', value: container });
  if (idPrefix !== undefined) of.push({ kind: 'id_prefix', value: idPrefix });
  if (id !== undefined) of.push({ kind: 'id', values: [id] });
  return { kind: 'and', of };
}
