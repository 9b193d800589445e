import type { SecureContext } from 'node:tls';

import type { Dispatcher } from 'undici';

import { type CredentialPart, createClientContext } from './client-context.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { Http1Dispatcher } from './http1/http1-dispatcher.ts';
import type { ListenerAddress } from './own-listeners.ts';
import { type ResolveAddresses, systemResolver } from './resolve-addresses.ts';

/** How both sides of a connection identify themselves. It does not resume sessions, and does not go without TLS. */
export interface DestinationTls {
  /** PEM: the chain that is shown to servers that ask for one, with its key. */
  readonly client?: { readonly certificate: string; readonly key: CredentialPart };
  /** PEM: the authorities that are trusted instead of all others. */
  readonly ca?: string;
  /** Pins (public-key-pin.ts), one of which is that of the server's own certificate. Empty: any. */
  readonly pins: readonly string[];
}

/** All times in milliseconds. */
export interface GuardedDispatcherOptions {
  readonly policy: EgressPolicy;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveAddresses;
  /** Addresses at which this process itself listens; never dialled. Asked on every connection. Default: none. */
  readonly ownListeners?: () => readonly ListenerAddress[];
  /** PEM certificates trusted on top of Node's own. */
  readonly extraCaCertificates?: readonly string[];
  /** Default: no certificate is shown, and any server is taken that an authority vouches for. */
  readonly tls?: DestinationTls;
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
  /**
   * Open connections to one origin, of which 16 are made at once. Further requests wait, for as long as for the headers
   * of an answer. Default 256.
   */
  readonly maxConnectionsPerOrigin?: number;
}

/**
 * The one outbound path of requests: our own client of HTTP/1.1 (ADR 74) on connections that the policy has checked.
 *
 * It follows no redirect, reads no proxy setting from the environment, limits no response's size, and makes one request
 * at a time on a connection. It repeats nothing. Errors are named by `classifyEgressError`. End it with `close()` (waits
 * for running requests) or `destroy()`.
 *
 * Requests must come through `outboundHeaders`: a Host header is taken as it is given.
 *
 * @throws Error of OpenSSL for `tls` that it cannot use
 */
export function createGuardedDispatcher(options: GuardedDispatcherOptions): Dispatcher {
  const { tls } = options;
  const connect = createGuardedConnector({
    policy: options.policy,
    resolve: options.resolve ?? systemResolver,
    dnsTimeoutMs: options.dnsTimeoutMs ?? 5_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    secureContext: contextOf(options),
    ownListeners: options.ownListeners ?? (() => []),
    ...(tls === undefined ? {} : { pins: tls.pins }),
  });
  const headersMs = options.headersTimeoutMs ?? 25_000;
  return new Http1Dispatcher({
    connect,
    headersMs,
    bodyMs: options.bodyTimeoutMs ?? 60_000,
    maxWaitMs: headersMs,
    maxConnections: options.maxConnectionsPerOrigin ?? 256,
    keepAliveMs: options.keepAliveTimeoutMs ?? 4_000,
    keepAliveMaxMs: options.keepAliveMaxTimeoutMs ?? 30_000,
  });
}

function contextOf({ extraCaCertificates, tls }: GuardedDispatcherOptions): SecureContext {
  const { client, ca } = tls ?? {};
  return createClientContext(extraCaCertificates, {
    ...(client === undefined ? {} : { cert: [client.certificate], key: [client.key] }),
    ...(ca === undefined ? {} : { ca: [ca] }),
  });
}
