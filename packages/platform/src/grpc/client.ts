import type { ClientDuplexStream } from '@grpc/grpc-js';

import type { PeerSource } from '../calls/peers.ts';
import { FollowedAddresses, type Lookup } from './addresses.ts';
import {
  type GrpcConnection,
  type GrpcConnectionOptions,
  type StreamMethod,
  notReady,
  openGrpcConnection,
} from './connection.ts';
import { type UnaryCallOptions, type UnaryMethod, callUnary } from './unary-call.ts';

export type { UnaryCallOptions } from './unary-call.ts';

export interface GrpcChannelOptions extends GrpcConnectionOptions {
  /** `host:port`. Every address of the host's name is a server of the service. */
  readonly address: string;
  /** For tests. */
  readonly lookup?: Lookup;
}

/** Connections to all servers of one service, made on first use and again whenever they are lost. */
export interface GrpcChannel extends PeerSource {
  /**
   * Calls a method once, or a few times when `safe`, each time at another server if there are several. Rejects with an
   * AppError. See UnaryCallOptions.
   */
  unary<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    options: UnaryCallOptions,
  ): Promise<Response>;
  /**
   * Opens a bidirectional stream, which waits for the connection as long as that takes.
   * @param peer one that `watch` gives; absent: the first one. @throws Error when there is none
   */
  stream<Request, Response>(
    method: StreamMethod<Request, Response>,
    peer?: string,
  ): ClientDuplexStream<Request, Response>;
  /** Connects if need be, to one server at least. Rejects with AppError `unavailable` after `timeoutMs`. */
  waitForReady(timeoutMs: number): Promise<void>;
  /** Whether a server is connected now. */
  isReady(): boolean;
  close(): void;
}

/** Makes a channel without waiting for a server. */
export function createGrpcChannel(options: GrpcChannelOptions): GrpcChannel {
  return new SpreadChannel(options);
}

class SpreadChannel implements GrpcChannel {
  readonly #options: GrpcChannelOptions;
  readonly #addresses: FollowedAddresses;
  readonly #watchers = new Set<(peers: readonly string[]) => void>();
  #connections: ReadonlyMap<string, GrpcConnection> = new Map();
  #rotation = 0;

  constructor(options: GrpcChannelOptions) {
    this.#options = options;
    this.#addresses = new FollowedAddresses({
      address: options.address,
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
      onChange: (addresses) => this.#update(addresses),
    });
  }

  watch(onChange: (peers: readonly string[]) => void): () => void {
    this.#watchers.add(onChange);
    if (this.#connections.size > 0) onChange([...this.#connections.keys()]);
    return () => this.#watchers.delete(onChange);
  }

  suspect(): void {
    this.#addresses.suspect();
  }

  unary<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    options: UnaryCallOptions,
  ): Promise<Response> {
    return callUnary(options, async () => {
      if (this.#connections.size === 0) await this.#known(options.deadline - Date.now());
      return await this.#next().unary(method, request, options);
    });
  }

  stream<Request, Response>(
    method: StreamMethod<Request, Response>,
    peer?: string,
  ): ClientDuplexStream<Request, Response> {
    const [first] = this.#connections.values();
    const connection = peer ? this.#connections.get(peer) : first;
    if (connection === undefined) throw new Error(`${this.#options.address} has no address ${peer ?? ''}`);
    return connection.stream(method);
  }

  async waitForReady(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    await this.#known(timeoutMs);
    const rest = Math.max(0, deadline - Date.now());
    await Promise.any([...this.#connections.values()].map((each) => each.waitForReady(rest))).catch(
      (cause: AggregateError) => {
        throw notReady(this.#options.address, cause.errors[0]!);
      },
    );
  }

  isReady(): boolean {
    return [...this.#connections.values()].some((connection) => connection.isReady(false));
  }

  close(): void {
    this.#addresses.close();
    this.#watchers.clear();
    for (const connection of this.#connections.values()) connection.close();
  }

  #update(addresses: readonly string[]): void {
    const before = this.#connections;
    const open = (address: string) =>
      before.get(address) ?? openGrpcConnection({ ...this.#options, address });
    this.#connections = new Map(addresses.map((address) => [address, open(address)]));
    for (const onChange of this.#watchers) onChange(addresses);
    // Owners of streams there have half-closed them, so they end when their calls are answered.
    for (const [address, connection] of before) if (!this.#connections.has(address)) connection.close();
  }

  /** The next connected server in turn; if there is none, one that is being connected. */
  #next(): GrpcConnection {
    const all = [...this.#connections.values()];
    const ready = all.filter((connection) => connection.isReady(true));
    const choice = ready.length > 0 ? ready : all;
    this.#rotation += 1;
    const next = choice[this.#rotation % choice.length];
    if (next === undefined) throw notReady(this.#options.address, new Error('no address is known'));
    return next;
  }

  async #known(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, Math.max(0, timeoutMs));
    await Promise.race([this.#addresses.known, promise]);
    clearTimeout(limit);
    if (this.#connections.size === 0) throw notReady(this.#options.address, new Error('no address is known'));
  }
}
