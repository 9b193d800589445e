import type { UntypedServiceImplementation } from '@grpc/grpc-js';

import type { WireError } from '../src/errors/grpc.ts';
import { type GrpcChannel, createGrpcChannel } from '../src/grpc/client.ts';
import { type GrpcServer, type GrpcServerOptions, startGrpcServer } from '../src/grpc/server.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { Secret } from '../src/values/secret.ts';

/** A service for tests, with JSON for messages. */
const toBytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const fromBytes = (bytes: Buffer) => JSON.parse(bytes.toString());

export interface Echo {
  text: string;
}
export interface FrameCall {
  id: number;
  timeoutMs: number;
  text: string;
}
export interface Frame {
  calls: FrameCall[];
  cancelled: number[];
}
export interface FrameReply {
  id: number;
  text?: string;
  error?: WireError;
}
export interface Frames {
  replies: FrameReply[];
}

export const EchoService = {
  say: {
    path: '/echo.v1.EchoService/Say' as const,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: (value: Echo): Buffer => toBytes(value),
    requestDeserialize: (bytes: Buffer): Echo => fromBytes(bytes),
    responseSerialize: (value: Echo): Buffer => toBytes(value),
    responseDeserialize: (bytes: Buffer): Echo => fromBytes(bytes),
  },
  exchange: {
    path: '/echo.v1.EchoService/Exchange' as const,
    requestStream: true as const,
    responseStream: true as const,
    requestSerialize: (value: Frame): Buffer => toBytes(value),
    requestDeserialize: (bytes: Buffer): Frame => fromBytes(bytes),
    responseSerialize: (value: Frames): Buffer => toBytes(value),
    responseDeserialize: (bytes: Buffer): Frames => fromBytes(bytes),
  },
} as const;

/** The token of the service `caller`, and its SHA-256. */
export const callerToken = 'caller-token';
const callerHash = '42759dabeaa13003b4a08844d414105fbbe66726b223dccb182613678f2c0d1a';

export interface LogLine extends Record<string, unknown> {
  msg: string;
}

export interface EchoServer extends GrpcServer {
  readonly lines: LogLine[];
}

export async function startEcho(
  implementation: UntypedServiceImplementation,
  options: Partial<GrpcServerOptions> = {},
): Promise<EchoServer> {
  const lines: LogLine[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) };
  const unimplemented = { say: () => undefined, exchange: () => undefined };
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [{ definition: EchoService, implementation: { ...unimplemented, ...implementation } }],
    peers: { caller: callerHash },
    allow: { [EchoService.say.path]: ['caller'], [EchoService.exchange.path]: ['caller'] },
    shutdownTimeoutMs: 5_000,
    logger: createLogger({ service: 'echo', level: 'debug', destination }),
    ...options,
  });
  return Object.assign(server, { lines });
}

export function connect(port: number, token = callerToken): GrpcChannel {
  return createGrpcChannel({ address: `127.0.0.1:${port}`, token: new Secret(token) });
}

/** Waits for a condition; the test's own time limit ends it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
