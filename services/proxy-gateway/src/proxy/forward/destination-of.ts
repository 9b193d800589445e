import {
  type DestinationBase,
  type JoinRefusal,
  destinationBase,
  joinDestination,
} from '@glovebox/egress/join-destination';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { ProxyRecord } from '@glovebox/published/records';

import type { ProxyTarget } from '../resolve/proxy-target.ts';

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
  const joined = joinDestination(baseOf(proxy), target.subPath, target.query);
  if (joined.ok) return joined;
  throw new AppError('invalid_argument', told[joined.reason], { title: 'Invalid proxy request' });
}

/** A record lasts for many requests, and parsing its URL costs as much as all the rest here. */
const bases = new WeakMap<ProxyRecord, DestinationBase>();

function baseOf(proxy: ProxyRecord): DestinationBase {
  const known = bases.get(proxy);
  if (known !== undefined) return known;
  const base = destinationBase(proxy.destinationUrl);
  bases.set(proxy, base);
  return base;
}

const told: Readonly<Record<JoinRefusal, string>> = {
  relative: 'The path after /proxy must start with a slash.',
  'double-slash': 'The path after /proxy must not start with two slashes.',
  backslash: 'The path after /proxy must not contain a backslash.',
  'dot-segment': 'The path after /proxy must not contain a ".." segment.',
  character: 'The path or query after /proxy contains a character that must be percent-encoded.',
};
