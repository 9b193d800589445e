import type { Scope } from '../scope.ts';
import type { IsolateNetwork } from './network.ts';
import type { TcpHandle } from './tcp.ts';

interface Socket {
  _handle: TcpHandle | null;
  connecting: boolean;
  connect(...args: unknown[]): Socket;
  destroy(error: Error): void;
}

interface NetModule {
  readonly Socket: { new (options?: object): Socket; readonly prototype: Socket };
  readonly Server: { readonly prototype: { listen(): void } };
  readonly _normalizeArgs: (args: unknown[]) => ConnectArguments;
}

type ConnectArguments = [Record<string, unknown>, unknown];
type OnLookup = (error: Error | null, address?: string, family?: number) => void;

/**
 * Makes the sockets of Node's library connect through the host, which looks names up, judges and dials in one go.
 * What they are told about that beforehand, the host has no use for, so options that want it otherwise are refused.
 */
export function guardSockets(
  net: NetModule,
  { load }: Scope,
  { raw, secured, refusal }: IsolateNetwork,
): void {
  const { nextTick } = load('internal/process/task_queues') as { nextTick: (run: () => void) => void };
  const { isIP, normalizedArgsSymbol } = load('internal/net') as {
    isIP: (text: string) => number;
    normalizedArgsSymbol: symbol;
  };
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
    return name === undefined ? undefined : refusal(refused[name] as string);
  }

  /** By the socket's own kind: what it holds is dialled with TLS or without. */
  function dial(socket: Socket, host: string, port: number, onLookup: OnLookup): void {
    const handle = socket._handle as TcpHandle;
    const tls = secured.get(socket);
    const done = (error: Error | undefined) => {
      if (error === undefined) {
        const { address, family } = (handle.about as NonNullable<TcpHandle['about']>).peer;
        onLookup(null, address, family === 'IPv6' ? 6 : 4);
      } else if ((error as { syscall?: unknown }).syscall === 'getaddrinfo') onLookup(error);
      else socket.destroy(error);
    };
    try {
      const protocol = tls === undefined ? (raw.has(socket) ? 'ssh:' : 'http:') : 'https:';
      handle.dial(protocol, host, port, tls?.credentials, done);
    } catch (error) {
      nextTick(() => done(error as Error));
    }
  }

  prototype.connect = function connectThroughHost(this: Socket, ...args: unknown[]): Socket {
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
export function netOfPackages({ load }: Scope, { raw }: IsolateNetwork): object {
  const net = load('net') as unknown as NetModule;
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
  return Object.assign(Object.create(net) as object, own);
}

/** Nothing listens in an isolate, and the agents that are used are known. */
export function guardHttp(
  name: string,
  exports: Record<string, unknown>,
  { agents, refusal }: IsolateNetwork,
): void {
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
