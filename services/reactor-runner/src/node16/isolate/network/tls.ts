import type { Exports } from '../node-internals.ts';
import type { Scope } from '../scope.ts';
import type { IsolateNetwork } from './network.ts';
import { makeCredentials } from './tls-credentials.ts';
import { makeTlsSocket } from './tls-socket.ts';

type TlsOptions = Record<string, unknown>;

/** The modules below Node's `tls`. The host does TLS and alone decides whether to trust the peer. */
export function tlsModules(scope: Scope, network: IsolateNetwork): Record<string, () => Exports> {
  const { load } = scope;
  const { refusal } = network;
  const contexts = new WeakMap<object, TlsOptions>();
  class SecureContext {
    readonly context = {};
  }

  function createSecureContext(options: TlsOptions = {}): SecureContext {
    const context = new SecureContext();
    contexts.set(context, options);
    return context;
  }

  /** As `net.connect`, with the options in whichever place. */
  function normalized(args: unknown[]): { options: TlsOptions; onSecure: unknown } {
    const { _normalizeArgs: normalizeArgs } = load('net');
    const [first, onSecure] = normalizeArgs(args);
    const more = args.slice(1, 3).find((arg): arg is TlsOptions => typeof arg === 'object' && arg !== null);
    return { options: { ...first, ...more }, onSecure };
  }

  function wrap(): Exports {
    const TLSSocket = makeTlsSocket(scope, network, makeCredentials(contexts));

    function connect(...args: unknown[]): object {
      const { options, onSecure } = normalized(args);
      const socket = new TLSSocket(options['socket'], options);
      if (typeof onSecure === 'function') socket.once('secureConnect', onSecure);
      if (options['timeout'] !== undefined) socket.setTimeout(options['timeout']);
      const { host } = options;
      const name = typeof host === 'string' && host !== '' ? host : 'localhost';
      socket.once('connect', () => socket.begin(name, options['checkServerIdentity']));
      socket.connect(options);
      return socket;
    }

    function createServer(): never {
      throw refusal('Servers are not offered here.');
    }
    return { TLSSocket, Server: load('net').Server, createServer, connect };
  }

  return {
    _tls_common: () => ({
      SecureContext,
      createSecureContext,
      translatePeerCertificate: (certificate: unknown) => certificate,
    }),
    _tls_wrap: wrap,
    'internal/tls/secure-pair': () => ({
      createSecurePair() {
        throw refusal('tls.createSecurePair() is not offered here.');
      },
    }),
  };
}
