import { type JoinRefusal, joinDestination } from '@glovebox/egress/join-destination';
import { AppError } from '@glovebox/platform/errors';
import type { ProxyRecord } from '@glovebox/published/records';

import type { ProxyTarget } from '../request/proxy-target.ts';

export interface Destination {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

/**
 * Where a request goes: the proxy's destination with the request's sub path and query.
 * @throws AppError `invalid_argument` for a sub path that would leave the destination's own path.
 */
export function destinationOf(proxy: ProxyRecord, target: ProxyTarget): Destination {
  const joined = joinDestination(proxy.destinationUrl, target.subPath, target.query);
  if (joined.ok) return joined;
  throw new AppError('invalid_argument', told[joined.reason], { title: 'Invalid proxy request' });
}

const told: Readonly<Record<JoinRefusal, string>> = {
  relative: 'The path after /proxy must start with a slash.',
  'double-slash': 'The path after /proxy must not start with two slashes.',
  backslash: 'The path after /proxy must not contain a backslash.',
  'dot-segment': 'The path after /proxy must not contain a ".." segment.',
  character: 'The path or query after /proxy contains a character that must be percent-encoded.',
};
