import { Server, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';

import type { Logger } from '../telemetry/logger.ts';
import { type AllowTable, authorizePeers } from './authorize.ts';
import type { Certificates } from './certificates.ts';
import { defaultMaxMessageBytes } from './conventions.ts';
import { serverCredentials } from './credentials.ts';
import { widenServerWindows } from './flow-control.ts';
import type { PeerTokens } from './peer-tokens.ts';
import { type ReflectionOptions, addReflection, reflectionPath } from './reflection.ts';

export interface GrpcService {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

export interface GrpcServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly services: readonly GrpcService[];
  /** If set: only TLS, and only peers with a certificate. Not closed with the server. */
  readonly certificates?: Certificates | undefined;
  readonly peers: PeerTokens;
  readonly allow: AllowTable;
  /** Absent: no reflection. Any known peer may use it. */
  readonly reflection?: ReflectionOptions;
  /** How long open calls may go on after `close`. */
  readonly shutdownTimeoutMs: number;
  /** Of one message, either way. Default 16 MiB. */
  readonly maxMessageBytes?: number;
  readonly logger: Logger;
}

export interface GrpcServer extends AsyncDisposable {
  readonly port: number;
  /** The health of every service; NOT_SERVING until it is called with true. */
  setServing(serving: boolean): void;
  /**
   * Ends in order: health checks fail, the server accepts no more connections and calls, asks streams to leave, lets
   * open calls finish, and cuts off the rest after `shutdownTimeoutMs`.
   */
  close(): Promise<void>;
}

const healthPath = '/grpc.health.v1.Health/';

/**
 * Starts a gRPC server on which every call is authorized (AuthorizeOptions, AllowTable). Health checks
 * (grpc.health.v1) are open to all who can connect.
 * @throws Error when the address can't be bound or the allow table names an unknown method
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  refuseUnknownMethods(options);
  widenServerWindows();
  const draining = new AbortController();
  const server = new Server({
    'grpc.max_receive_message_length': options.maxMessageBytes ?? defaultMaxMessageBytes,
    'grpc.max_send_message_length': options.maxMessageBytes ?? defaultMaxMessageBytes,
    'grpc.max_concurrent_streams': 1000,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5_000,
    interceptors: [
      authorizePeers({
        peers: options.peers,
        identityPrefix: options.certificates?.identityPrefix,
        allow: options.allow,
        open: [healthPath],
        anyPeer: options.reflection === undefined ? [] : [reflectionPath],
        draining: draining.signal,
        logger: options.logger,
      }),
    ],
  });
  const health = new HealthImplementation();
  health.addToServer(server);
  for (const { definition, implementation } of options.services)
    server.addService(definition, implementation);
  if (options.reflection !== undefined) await addReflection(server, options.reflection);

  const names = ['', ...new Set(methodPaths(options).map((path) => path.slice(1, path.lastIndexOf('/'))))];
  const setServing = (serving: boolean) => {
    for (const name of names) health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
  };
  setServing(false);
  const port = await bind(server, options);

  let closing: Promise<void> | undefined;
  const close = () => {
    setServing(false);
    draining.abort();
    closing ??= shutDown(server, options.shutdownTimeoutMs);
    return closing;
  };
  return { port, setServing, close, [Symbol.asyncDispose]: close };
}

function bind(server: Server, { host, port, certificates }: GrpcServerOptions): Promise<number> {
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(address, serverCredentials(certificates), (error, bound) => {
      if (error) reject(new Error(`could not listen on ${address}: ${error.message}`, { cause: error }));
      else resolve(bound);
    });
  });
}

async function shutDown(server: Server, timeoutMs: number): Promise<void> {
  const drained = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  const limit = setTimeout(() => server.forceShutdown(), timeoutMs);
  await drained;
  clearTimeout(limit);
}

function methodPaths(options: GrpcServerOptions): string[] {
  return options.services.flatMap(({ definition }) => Object.values(definition).map(({ path }) => path));
}

function refuseUnknownMethods(options: GrpcServerOptions): void {
  const known = new Set(methodPaths(options));
  const unknown = Object.keys(options.allow).filter((path) => !known.has(path));
  if (unknown.length > 0) throw new Error(`the allow table names unknown methods: ${unknown.join(', ')}`);
}
