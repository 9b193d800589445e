import type { ServerDuplexStream } from '@grpc/grpc-js';

import {
  CallStreamClient,
  type CallStreamClientOptions,
  type CallStreamObserver,
} from '../src/calls/client.ts';
import { type CallStreamServerOptions, type InboundCall, serveCallStream } from '../src/calls/server.ts';
import type { GrpcServerOptions } from '../src/grpc/server.ts';
import {
  EchoService,
  type EchoServer,
  type Frame,
  type FrameCall,
  type FrameReply,
  type Frames,
  connect,
  startEcho,
} from './grpc-echo.ts';

export type EchoInbound = InboundCall<FrameCall, FrameReply>;
type HandleFrame = CallStreamServerOptions<FrameCall, FrameReply, Frame, Frames>['handleFrame'];
export type EchoClient = CallStreamClient<FrameCall, FrameReply, Frame, Frames>;

/** Answers every call with its own text. */
export const echoAll: HandleFrame = (calls) => {
  for (const inbound of calls) inbound.reply({ id: inbound.call.id, text: inbound.call.text });
};

export function startCallStreamServer(
  handleFrame: HandleFrame,
  server: Partial<GrpcServerOptions> = {},
  limits: { maxInFlight?: number; maxFrameBytes?: number; maxReplyBytes?: number } = {},
): Promise<EchoServer> {
  const exchange = (stream: ServerDuplexStream<Frame, Frames>) =>
    serveCallStream({
      stream,
      callsOf: (frame) => frame.calls,
      cancelledOf: (frame) => frame.cancelled,
      frameOf: (replies) => ({ replies }),
      errorReply: (id, error) => ({ id, error }),
      sizeOf: (reply) => reply.text?.length ?? 0,
      handleFrame,
      ...limits,
    });
  return startEcho({ exchange }, server);
}

export interface ConnectedClient {
  readonly client: EchoClient;
  /** Numbers of calls of the frames written. */
  readonly frames: number[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A client of the server on `port`, closed at the end of the block that uses it. */
export function connectCallStream(
  port: number,
  options: Partial<CallStreamClientOptions<FrameCall, FrameReply, Frame, Frames>> = {},
): ConnectedClient {
  const channel = connect(port);
  const frames: number[] = [];
  const observer: CallStreamObserver = { frameWritten: (calls) => frames.push(calls) };
  const client = new CallStreamClient<FrameCall, FrameReply, Frame, Frames>({
    openStream: () => channel.stream(EchoService.exchange),
    frameOf: (calls, cancelled) => ({ calls, cancelled }),
    repliesOf: (response) => response.replies,
    sizeOf: (body) => body.text.length,
    observer,
    ...options,
  });
  return {
    client,
    frames,
    async [Symbol.asyncDispose]() {
      await client.close(Date.now());
      channel.close();
    },
  };
}

/** A deadline that no test reaches. */
export const soon = () => ({ deadline: Date.now() + 30_000 });

/** `ok`, or the code of the AppError that a call fails with. */
export const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );

/** A handler that keeps the calls of all frames open until the test answers them. */
export function keepOpen() {
  const calls: EchoInbound[] = [];
  const release = Promise.withResolvers<void>();
  const handleFrame = (frame: readonly EchoInbound[]) => {
    calls.push(...frame);
    return release.promise;
  };
  const answer = (inbound: EchoInbound) => inbound.reply({ id: inbound.call.id, text: inbound.call.text });
  return { calls, handleFrame, answer, release: release.resolve };
}
