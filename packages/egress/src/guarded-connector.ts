import { isIP, type LookupFunction, Socket } from 'node:net';
import type { SecureContext } from 'node:tls';

import type { buildConnector } from 'undici';
import build from 'undici/lib/core/connect.js';

import { checkAddress } from './check-address.ts';
import { checkHost } from './check-host.ts';
import { EgressConnectFailed, EgressDenied } from './egress-errors.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { type ListenerAddress, reachesListener } from './own-listeners.ts';
import { proveIdentity } from './peer-identity.ts';
import { type ResolveAddresses, resolveWithin } from './resolve-addresses.ts';

/** How long one of several addresses may take to connect before the next is tried; the last has the whole rest. */
const nextAddressAfterMs = 1_000;

export interface GuardedConnectorSettings {
  readonly policy: EgressPolicy;
  readonly resolve: ResolveAddresses;
  readonly dnsTimeoutMs: number;
  /** For resolving, connecting and the TLS handshake together. */
  readonly connectTimeoutMs: number;
  readonly secureContext: SecureContext;
  /** TLS sessions that are kept to be resumed. A resumed one shows no certificate. Default 100. */
  readonly maxCachedSessions?: number;
  /**
   * Both sides identify themselves on every connection (peer-identity.ts): none is resumed, and none is without TLS. These are
   * the server's pins. Default: that an authority vouches for the server is enough.
   */
  readonly pins?: readonly string[];
  /**
   * Connections without TLS may also be made for `ssh:`, to where https may lead. The caller ensures that only SSH is
   * spoken over it. Default false.
   */
  readonly allowSsh?: boolean;
  /** Asked on every connection, so that listeners may open after the connector is made. */
  readonly ownListeners: () => readonly ListenerAddress[];
}

type Target = Pick<buildConnector.Options, 'protocol' | 'hostname'>;

/** What undici asks for; `signal` ends the attempt. */
export type GuardedTarget = buildConnector.Options & { readonly signal?: AbortSignal };

export type GuardedConnector = (target: GuardedTarget, callback: buildConnector.Callback) => void;

/** The addresses of a name that may be dialled, in the resolver's order. */
async function judgedAddresses(settings: GuardedConnectorSettings, hostname: string): Promise<string[]> {
  const found = await resolveWithin(settings.resolve, hostname, settings.dnsTimeoutMs);
  const judged = found.map((address) => ({
    address,
    refusal: checkAddress(settings.policy, hostname, address),
  }));
  const allowed = judged.filter(({ refusal }) => refusal === undefined);
  const [first] = judged;
  if (allowed.length === 0 && first?.refusal !== undefined) {
    throw new EgressDenied(first.refusal, hostname, first.address);
  }
  return allowed.map(({ address }) => address);
}

/** Node dials only these addresses; it does not ask for literals, which `denyTarget` checks. */
function guardedLookup(settings: GuardedConnectorSettings): LookupFunction {
  return (hostname, _options, callback) => {
    judgedAddresses(settings, hostname).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

function denyTarget(
  { policy, allowSsh = false }: GuardedConnectorSettings,
  { protocol, hostname }: Target,
): EgressDenied | undefined {
  const reason = checkHost(policy, allowSsh && protocol === 'ssh:' ? 'https:' : protocol, hostname);
  if (reason !== undefined) return new EgressDenied(reason, hostname);
  const refusal = isIP(hostname) === 0 ? undefined : checkAddress(policy, hostname, hostname);
  return refusal && new EgressDenied(refusal, hostname, hostname);
}

/** Checks the address that the socket is connected to, before a byte of a request is written. */
function denySocket(settings: GuardedConnectorSettings, hostname: string, socket: Socket): Error | undefined {
  const { remoteAddress, remotePort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) {
    return new EgressConnectFailed('connect', hostname, new Error('closed at once'));
  }
  const refusal = checkAddress(settings.policy, hostname, remoteAddress);
  if (refusal !== undefined) return new EgressDenied(refusal, hostname, remoteAddress);
  const self = reachesListener(settings.ownListeners(), remoteAddress, remotePort);
  return self ? new EgressDenied('self-connection', hostname, remoteAddress) : undefined;
}

/** Codes of failures below TLS; on an https connection every other failure is the handshake's. */
const belowTls = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'ETIMEDOUT',
  'EMFILE',
  'ENFILE',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function namedFailure(error: Error, { protocol, hostname }: Target): Error {
  if (error instanceof EgressDenied || error instanceof EgressConnectFailed) return error;
  const plain = protocol !== 'https:' || ('code' in error && belowTls.has(String(error.code)));
  return new EgressConnectFailed(plain ? 'connect' : 'tls', hostname, error);
}

/** Ends an attempt when the signal says so. @returns what stops listening to it. */
function endOn(signal: AbortSignal | undefined, attempt: unknown): () => void {
  if (signal === undefined || !(attempt instanceof Socket)) return () => {};
  const end = () => attempt.destroy(new Error('aborted'));
  signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}

/**
 * A connector for undici that resolves a name once, checks every address, lets Node dial only those that passed, and
 * checks the peer of the socket. Both the name in the TLS handshake and the certificate's are the
 * URL's, whatever a Host header says. HTTP/1.1 only.
 *
 * Fails with EgressDenied or EgressConnectFailed.
 */
export function createGuardedConnector(settings: GuardedConnectorSettings): GuardedConnector {
  const dial = build({
    allowH2: false,
    timeout: settings.connectTimeoutMs,
    lookup: guardedLookup(settings),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    secureContext: settings.secureContext,
    rejectUnauthorized: true,
    maxCachedSessions: settings.pins === undefined ? (settings.maxCachedSessions ?? 100) : 0,
  }) as (...args: Parameters<buildConnector.connector>) => unknown;
  return ({ host, hostname, protocol, port, signal }, callback) => {
    const target = { hostname, protocol, port, ...(host === undefined ? {} : { host }) };
    const denied = denyTarget(settings, target);
    if (denied !== undefined) {
      queueMicrotask(() => callback(denied, null));
      return;
    }
    const forget = endOn(
      signal,
      dial(target, (error, socket) => {
        forget();
        if (error !== null) return callback(namedFailure(error, target), null);
        const settle = (refused: Error | null | undefined) => {
          if (refused == null) return callback(null, socket);
          socket.destroy();
          return callback(refused, null);
        };
        const refused = denySocket(settings, hostname, socket);
        if (refused !== undefined || settings.pins === undefined) return settle(refused);
        return proveIdentity(socket, hostname, settings.pins, settle);
      }),
    );
  };
}
