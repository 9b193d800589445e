import type { ConnectArguments, Exports, NetSocket } from '../node-internals.ts';
import type { Scope } from '../scope.ts';
import type { IsolateNetwork } from './network.ts';

type OnLookup = (error: Error | null, address?: string, family?: number) => void;

/**
 * Makes the sockets of Node's library connect through the host, which looks names up, checks and dials them in one step.
 * The host has no use for what they are given about that beforehand, so options that want it otherwise are refused.
 */
export function guardSockets({ load }: Scope, { raw, secured, refusal }: IsolateNetwork): void {
  const net = load('net');
  const { nextTick } = load('internal/process/task_queues');
  const { isIP, normalizedArgsSymbol } = load('internal/net');
  const { prototype } = net.Socket;
  const { connect } = prototype;

  const refused: Record<string, string> = {
    path: 'Sockets of a file system are not offered here (socketPath).',
    lookup: 'The option lookup is not offered here: names are looked up by the platform.',
    localAddress: 'The option localAddress is not offered here.',
    localPort: 'The option localPort is not offered here.',
  };

  function refusalOf(options: Record<string, unknown>): Error | undefined {
    const name = Object.keys(refused).find(
      (one) => options[one] !== undefined && options[one] !== null && options[one] !== '',
    );
    return name === undefined ? undefined : refusal(refused[name]!);
  }

  /** By the socket's own kind: what it holds is dialled with TLS or without. */
  function dial(socket: NetSocket, host: string, port: number, onLookup: OnLookup): void {
    const handle = socket._handle!;
    const tls = secured.get(socket);
    const done = (error: Error | undefined) => {
      if (error === undefined) {
        const { address, family } = handle.about!.peer;
        onLookup(null, address, family === 'IPv6' ? 6 : 4);
      } else if ('syscall' in error && error.syscall === 'getaddrinfo') onLookup(error);
      else socket.destroy(error);
    };
    try {
      const protocol = tls === undefined ? (raw.has(socket) ? 'ssh:' : 'http:') : 'https:';
      handle.dial(protocol, host, port, tls?.credentials, done);
    } catch (error) {
      nextTick(() => done(error instanceof Error ? error : new Error(String(error))));
    }
  }

  prototype.connect = function connectThroughHost(this: NetSocket, ...args: unknown[]): NetSocket {
    const given = args[0] as ConnectArguments & Record<symbol, unknown>;
    const isNormal = Array.isArray(given) && given[normalizedArgsSymbol] === true;
    const normalized = isNormal ? given : net._normalizeArgs(args);
    const options = normalized[0];
    const problem = refusalOf(options);
    if (problem !== undefined) {
      this.connecting = true;
      nextTick(() => this.destroy(problem));
      return this;
    }
    const host =
      typeof options['host'] === 'string' && options['host'] !== '' ? options['host'] : 'localhost';
    const port = Number(options['port']);
    const isAddress = isIP(host) !== 0;
    normalized[0] = {
      ...options,
      lookup: (_host: string, _options: object, done: OnLookup) => dial(this, host, port, done),
    };
    Reflect.apply(connect, this, [normalized]);
    // An address is not looked up, so the handle waits for what is begun here; one with a zone may be none after all.
    if (isAddress) dial(this, host, port, (error) => error !== null && this.destroy(error));
    return this;
  };
  net.Server.prototype.listen = () => {
    throw refusal('Servers are not offered here.');
  };
}

/**
 * `net` for packages. What they say over sockets of their own is SSH: the one protocol besides HTTP that any of them
 * speaks, and nothing is said before the other side has shown that it speaks it, too.
 */
export function netOfPackages({ load }: Scope, { raw }: IsolateNetwork): Exports {
  const net = load('net');
  class Socket extends net.Socket {
    constructor(options?: object) {
      super(options);
      raw.add(this);
    }
  }
  const connect = (...args: unknown[]) => {
    const [options, onConnect] = net._normalizeArgs(args);
    return new Socket(options).connect(options, onConnect ?? undefined);
  };
  const own = { Socket, Stream: Socket, connect, createConnection: connect };
  const derived: Exports = Object.create(net);
  return Object.assign(derived, own);
}

/** Nothing listens in an isolate, and the agents that are used are known. */
export function guardHttp(name: string, exports: Exports, { agents, refusal }: IsolateNetwork): void {
  if (name === '_http_agent') {
    const { prototype } = exports['Agent'] as { prototype: { addRequest: Function } };
    const { addRequest } = prototype;
    prototype.addRequest = function addRequestOfInvocation(this: never, ...args: unknown[]): unknown {
      agents.add(this);
      return Reflect.apply(addRequest, this, args);
    };
  } else if (name === 'http' || name === 'https') {
    exports['createServer'] = function createServer(): never {
      throw refusal(`${name}.createServer() is not offered here.`);
    };
  }
}
