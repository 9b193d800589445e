import { readHostPatterns } from '@glovebox/access/read-host-patterns';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';

import type { Problems } from '../http/shape.ts';

/**
 * Reads a member of a body that is a list of host patterns (contract/destinations.md#host-patterns); it may be empty.
 * @param policy of the operator: whether this machine is a place
 * @param problems where what is wrong is added; the list counts only without any
 * @returns undefined where the member is absent, null where it is null
 */
export function readHostList(
  body: unknown,
  name: string,
  policy: EgressPolicy,
  problems: Problems,
): readonly string[] | null | undefined {
  const sent: unknown = Reflect.get(Object(body), name);
  if (sent === undefined || sent === null) return sent;
  return readHostPatterns(sent, { min: 0, localhost: policy.profile === 'development' }, name, problems);
}
