import { placeOf } from '@glovebox/access/host-set';
import {
  type DestinationBase,
  type JoinRefusal,
  destinationBase,
  joinDestination,
} from '@glovebox/egress/join-destination';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { ProxyRecord } from '@glovebox/published/records';

import type { Exchange } from '../../http/exchange.ts';
import type { ServiceHeaders } from '../../http/headers/service-headers.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';

export interface Destination {
  readonly origin: string;
  /** Its host and port. */
  readonly place: string;
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
  const { base, place } = partsOf(proxy);
  const joined = joinDestination(base, target.subPath, target.query);
  if (joined.ok) return { origin: joined.origin, place, path: joined.path, connection };
  throw new AppError('invalid_argument', refusals[joined.reason], { title: 'Invalid proxy request' });
}

/** A record lasts for many requests, and parsing its URL costs as much as all the rest here. */
const partsOfRecords = new WeakMap<ProxyRecord, DestinationParts>();

interface DestinationParts {
  readonly base: DestinationBase;
  readonly place: string;
}

function partsOf(proxy: ProxyRecord): DestinationParts {
  const known = partsOfRecords.get(proxy);
  if (known !== undefined) return known;
  const base = destinationBase(proxy.destinationUrl);
  const parts = { base, place: placeOf(new URL(base.origin)) };
  partsOfRecords.set(proxy, parts);
  return parts;
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

/** A request as it goes to the destination, but for the headers that the gateway adds. */
export interface OutboundMessage extends SentBody {
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  readonly body: Buffer | AsyncIterable<Buffer> | null;
}

interface SentBody {
  /** As the client announced it, or the size that detokenization made; undefined for a chunked body. */
  readonly contentLength: string | undefined;
  /** The client's Content-Encoding was undone and does not describe what is sent. */
  readonly decoded: boolean;
}

/** The name under which this service marks what passes through it (RFC 8586). */
const cdnId = 'glovebox';
/** Services may be behind one another; a destination that leads back here passes more often. */
const maxPasses = 3;

/**
 * Completes the headers that go to the destination: the body's length, the correlation id
 * (contract/conventions.md#correlation), and no trace context of the client's, since the destination's span continues
 * ours. An alias that does not count is no header of anybody's, and stays here like all other names of this service.
 * @throws AppError `bad_gateway` for a request that has passed through here too often: its destination leads back.
 */
export function sentHeaders(
  accepted: readonly string[],
  body: SentBody,
  { correlationId, aliases }: Pick<Exchange, 'correlationId' | 'aliases'>,
): string[] {
  const headers: string[] = [];
  let traced = false;
  let passed = '';
  for (let at = 0; at + 1 < accepted.length; at += 2) {
    const name = accepted[at]!;
    const lower = mayBeWatched(name) ? name.toLowerCase() : '';
    if (lower === 'traceparent' || (body.decoded && lower === 'content-encoding')) continue;
    if (lower === 'cdn-loop') {
      passed += `${accepted[at + 1]}, `;
      continue;
    }
    if (lower === 'svc-trace-id' || lower === 'bt-trace-id') {
      if (lower === 'bt-trace-id' && !aliases) continue;
      if (!traced) headers.push(name, correlationId);
      traced = true;
      continue;
    }
    headers.push(name, accepted[at + 1]!);
  }
  if (!traced) headers.push('SVC-TRACE-ID', correlationId);
  headers.push('CDN-Loop', markPass(passed));
  if (body.contentLength !== undefined) headers.push('Content-Length', body.contentLength);
  return headers;
}

/** By first letter and length, so that most names need not be changed to lower case. */
function mayBeWatched(name: string): boolean {
  return watchedShapes.has((name.charCodeAt(0) | 0x20) * 256 + name.length);
}

const watchedShapes: ReadonlySet<number> = new Set(
  ['traceparent', 'content-encoding', 'cdn-loop', 'svc-trace-id', 'bt-trace-id'].map(
    (name) => name.charCodeAt(0) * 256 + name.length,
  ),
);

function markPass(passed: string): string {
  if (passed === '') return cdnId;
  const passes = passed.split(',').filter((id) => id.trim().split(';')[0] === cdnId).length;
  if (passes >= maxPasses) {
    throw new AppError('bad_gateway', 'The destination leads back to this service.');
  }
  return passed + cdnId;
}
