import {
  type DestinationBase,
  type JoinRefusal,
  destinationBase,
  joinDestination,
} from '@glovebox/egress/join-destination';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { ProxyRecord } from '@glovebox/published/records';

import type { ServiceHeaders } from '../../http/headers/service-headers.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';

export interface Destination {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  /** The Connection header, as a flat list. */
  readonly connection: readonly string[];
}

/**
 * Where a request goes: the proxy's destination with the request's sub path and query.
 * @throws AppError `invalid_argument` for a sub path that would leave the destination's own path, or a Connection
 * header that is not allowed.
 */
export function destinationOf({ exchange, proxy, target }: ProxyInvocation): Destination {
  const connection = connectionHeader(exchange.headers);
  const joined = joinDestination(baseOf(proxy), target.subPath, target.query);
  if (joined.ok) return { origin: joined.origin, path: joined.path, connection };
  throw new AppError('invalid_argument', refusals[joined.reason], { title: 'Invalid proxy request' });
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

const refusals: Readonly<Record<JoinRefusal, string>> = {
  relative: 'The path after /proxy must start with a slash.',
  'double-slash': 'The path after /proxy must not start with two slashes.',
  backslash: 'The path after /proxy must not contain a backslash.',
  'dot-segment': 'The path after /proxy must not contain a ".." segment.',
  character: 'The path or query after /proxy contains a character that must be percent-encoded.',
};

/**
 * The Connection header for the destination. A caller may only end the connection with the request: anything else would
 * name headers for the next hop to remove (RFC 9110, 7.6.1), or change the protocol. A connection that stays is shared,
 * so no caller's Keep-Alive parameters are sent on it.
 * @throws AppError `invalid_argument`
 */
export function connectionHeader({ proxyConnection }: ServiceHeaders): readonly string[] {
  switch (proxyConnection?.trim().toLowerCase()) {
    case undefined:
    case 'keep-alive':
      return [];
    case 'close':
      return ['Connection', 'close'];
    default:
      throw new AppError('invalid_argument', 'The header SVC-PROXY-CONNECTION must be close or keep-alive.', {
        title: 'Invalid proxy request',
      });
  }
}
