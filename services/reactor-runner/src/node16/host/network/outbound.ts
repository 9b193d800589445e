import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

import { type ClientCredentials, createClientContext } from '@glovebox/egress/client-context';
import { type GuardedConnectorSettings, createGuardedConnector } from '@glovebox/egress/guarded-connector';
import { type ResolveAddresses, systemResolver } from '@glovebox/egress/resolve-addresses';

import type { NetworkOptions } from '../../../worker-protocol/worker-options.ts';
import { awaitSsh } from './await-ssh.ts';
import type { Target } from './target.ts';
import { noSshServer } from './user-error.ts';

const dnsTimeoutMs = 5_000;

/** Makes a connection that the policy allows, or rejects as the guarded connector does. */
export type Dial = (target: Target, signal: AbortSignal) => Promise<Socket>;

/** All connections of a worker process to destinations. */
export interface Outbound {
  readonly options: NetworkOptions;
  readonly dial: Dial;
  /** The same with credentials of the caller's own. @throws Error of OpenSSL when they cannot be read. */
  readonly dialWith: (credentials: ClientCredentials) => Dial;
}

/** @param resolve default: the system's resolver. */
export function openOutbound(options: NetworkOptions, resolve: ResolveAddresses = systemResolver): Outbound {
  const trusted = options.caFile === undefined ? [] : [readFileSync(options.caFile, 'utf8')];
  const settings: GuardedConnectorSettings = {
    policy: options.policy,
    resolve,
    dnsTimeoutMs,
    connectTimeoutMs: options.connectTimeoutMs,
    secureContext: createClientContext(trusted),
    // What one run has proved to a server, or seen of it, is not lent to another.
    maxCachedSessions: 0,
    allowSsh: true,
    ownListeners: () => options.ownListeners,
  };
  return {
    options,
    dial: dialThrough(settings),
    dialWith: (credentials) =>
      dialThrough({ ...settings, secureContext: createClientContext(trusted, credentials) }),
  };
}

function dialThrough(settings: GuardedConnectorSettings): Dial {
  const connect = createGuardedConnector(settings);
  return async (target, signal) => {
    const { protocol, hostname, port } = target;
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const host = hostname.includes(':') ? `[${hostname}]:${port}` : `${hostname}:${port}`;
    connect({ protocol, hostname, host, port: String(port), signal }, (error, socket) => {
      if (error !== null) return reject(error);
      if (!signal.aborted) return resolve(socket);
      socket.destroy();
      const reason: Error = signal.reason;
      return reject(reason);
    });
    const socket = await promise;
    if (protocol !== 'ssh:') return socket;
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    const isSsh = await awaitSsh(socket, settings.connectTimeoutMs);
    signal.removeEventListener('abort', end);
    if (isSsh && !signal.aborted) return socket;
    end();
    throw noSshServer(target);
  };
}
