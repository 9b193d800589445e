import { Agent } from 'undici';

import { readAnswerHeads } from './answer-heads.ts';
import { createClientContext } from './client-context.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import type { ListenerAddress } from './own-listeners.ts';
import { type ResolveAddresses, systemResolver } from './resolve-addresses.ts';

/** All times in milliseconds. */
export interface GuardedDispatcherOptions {
  readonly policy: EgressPolicy;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveAddresses;
  /** Addresses at which this process itself listens; never dialled. Asked on every connection. Default: none. */
  readonly ownListeners?: () => readonly ListenerAddress[];
  /** PEM certificates trusted on top of Node's own. */
  readonly extraCaCertificates?: readonly string[];
  /** Default 5 s. */
  readonly dnsTimeoutMs?: number;
  /** For resolving, connecting and the TLS handshake together. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** From the request's last byte to the response's headers. Default 25 s. */
  readonly headersTimeoutMs?: number;
  /** Between two parts of the response's body. Default 60 s. */
  readonly bodyTimeoutMs?: number;
  /** How long an idle connection is kept. Default 4 s: below the 5 s after which many servers close theirs. */
  readonly keepAliveTimeoutMs?: number;
  /** Upper bound of an idle time that the destination asks for. Default 30 s, so that it cannot pin sockets of ours. */
  readonly keepAliveMaxTimeoutMs?: number;
  /** Open connections to one origin; further requests wait. Default 256. */
  readonly maxConnectionsPerOrigin?: number;
}

/**
 * The one outbound path of requests: an undici Agent whose every connection the policy has checked.
 *
 * It follows no redirect, reads no proxy setting from the environment, limits no response's size and speaks HTTP/1.1,
 * one request at a time on a connection. Errors are named by `classifyEgressError`. End it with `close()` (waits for
 * running requests) or `destroy()`.
 *
 * Requests must come through `outboundHeaders`: undici takes a Host header as it is given.
 */
export function createGuardedDispatcher(options: GuardedDispatcherOptions): Agent {
  const connect = createGuardedConnector({
    policy: options.policy,
    resolve: options.resolve ?? systemResolver,
    dnsTimeoutMs: options.dnsTimeoutMs ?? 5_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    secureContext: createClientContext(options.extraCaCertificates),
    ownListeners: options.ownListeners ?? (() => []),
  });
  return new Agent({
    connect: (target, callback) =>
      connect(target, (error, socket) =>
        error === null ? callback(null, readAnswerHeads(socket)) : callback(error, null),
      ),
    allowH2: false,
    useMilo: false,
    pipelining: 1,
    maxResponseSize: -1,
    connections: options.maxConnectionsPerOrigin ?? 256,
    headersTimeout: options.headersTimeoutMs ?? 25_000,
    bodyTimeout: options.bodyTimeoutMs ?? 60_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 4_000,
    keepAliveMaxTimeout: options.keepAliveMaxTimeoutMs ?? 30_000,
  });
}
