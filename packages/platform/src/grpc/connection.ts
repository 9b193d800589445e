import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  Metadata,
  type MethodDefinition,
  connectivityState,
} from '@grpc/grpc-js';

import { AppError } from '../errors/app-error.ts';
import type { Secret } from '../values/secret.ts';
import type { Certificates } from './certificates.ts';
import { correlationKey, defaultMaxMessageBytes, traceparentKey } from './conventions.ts';
import { channelCredentials } from './credentials.ts';
import { flowControlWindow } from './flow-control.ts';
import { type UnaryCallOptions, type UnaryMethod, callOnce } from './unary-call.ts';

export interface GrpcConnectionOptions {
  /** `ip:port`, or any other target that gRPC knows, e.g. `unix:/run/x.sock`. */
  readonly address: string;
  /** The token by which this service authenticates itself (PeerTokens). */
  readonly token: Secret<string>;
  /** The called service, as its certificate must name it. Absent, or without certificates: plaintext. */
  readonly tls?: { readonly peer: string; readonly certificates: Certificates | undefined };
  /** Of one message, either way. Default 16 MiB. */
  readonly maxMessageBytes?: number;
}

export type StreamMethod<Request, Response> = MethodDefinition<Request, Response> & {
  readonly requestStream: true;
  readonly responseStream: true;
};

/** A connection to one server, made on first use and again whenever it is lost. */
export interface GrpcConnection {
  /** Calls a method once. */
  unary<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    options: UnaryCallOptions,
  ): Promise<Response>;
  /** Opens a bidirectional stream, which waits for the connection as long as that takes. */
  stream<Request, Response>(method: StreamMethod<Request, Response>): ClientDuplexStream<Request, Response>;
  /** Connects if necessary. Rejects with AppError `unavailable` after `timeoutMs`. */
  waitForReady(timeoutMs: number): Promise<void>;
  /** Whether it is connected now. @param connect in the background if it is not */
  isReady(connect: boolean): boolean;
  /** Accepts no more calls; open ones go on. */
  close(): void;
}

/** Makes a connection without waiting for the server. */
export function openGrpcConnection(options: GrpcConnectionOptions): GrpcConnection {
  const client = new Client(options.address, credentialsOf(options), channelOptions(options));
  const authorization = `Bearer ${options.token.reveal()}`;
  const metadataOf = (waitForReady: boolean) => {
    const metadata = new Metadata({ waitForReady });
    metadata.set('authorization', authorization);
    return metadata;
  };
  return {
    unary(method, request, callOptions) {
      const metadata = metadataOf(false);
      if (callOptions.correlationId) metadata.set(correlationKey, callOptions.correlationId);
      if (callOptions.traceparent) metadata.set(traceparentKey, callOptions.traceparent);
      return callOnce(client, metadata, method, request, callOptions);
    },
    stream: (method) =>
      client.makeBidiStreamRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        metadataOf(true),
        {},
      ),
    waitForReady: (timeoutMs) =>
      new Promise((resolve, reject) => {
        client.waitForReady(Date.now() + timeoutMs, (error) => {
          if (error) reject(notReady(options.address, error));
          else resolve();
        });
      }),
    isReady: (connect) => client.getChannel().getConnectivityState(connect) === connectivityState.READY,
    close: () => client.close(),
  };
}

function credentialsOf({ tls }: GrpcConnectionOptions): ChannelCredentials {
  return channelCredentials(tls?.certificates, tls?.peer ?? '');
}

function channelOptions(options: GrpcConnectionOptions) {
  const maxMessageBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
  return {
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc-node.flow_control_window': flowControlWindow,
    // Detects a dead peer within 15 s, even without traffic.
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    // Only callers know which calls are safe to repeat (UnaryCallOptions.safe).
    'grpc.enable_retries': 0,
    // Calls between services ignore http_proxy.
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.use_local_subchannel_pool': 1,
    // TLS takes no address as a name; our check of the certificate looks at neither.
    ...(options.tls?.certificates === undefined ? {} : { 'grpc.ssl_target_name_override': options.tls.peer }),
  };
}

export function notReady(address: string, cause: Error): AppError {
  return new AppError('unavailable', 'A service that this request needs is not available.', {
    cause: new Error(`not connected to ${address}`, { cause }),
  });
}
