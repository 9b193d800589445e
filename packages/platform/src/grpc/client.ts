import { randomUUID } from 'node:crypto';

import type { ClientDuplexStream } from '@grpc/grpc-js';

import type { PeerSource } from '../calls/peers.ts';
import { FollowedAddresses, type Lookup } from './addresses.ts';
import { chooseServers } from './choose-servers.ts';
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
  /** For measurements: in place of `mostServers`. */
  readonly most?: number;
}

/**
 * A client connects to so many servers. With hundreds of clients, connections of all to all would cost each server more
 * than the calls, and the calls of one client would come in frames of one. In `docs/scaling.md` is what it was measured with.
 */
export const mostServers = 8;
/** Where there are more servers, one that cannot be reached for this long is replaced by another. */
const awayAfterMs = 5_000;
/** Then it is tried again. */
const awayForMs = 60_000;
const checkEveryMs = 1_000;

/** Connections to the servers of one service, made on first use and again whenever they are lost. */
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
  /** Differs from that of every other client. */
  readonly #id = randomUUID();
  readonly #most: number;
  #known: readonly string[] = [];
  #connections: ReadonlyMap<string, GrpcConnection> = new Map();
  /** When each was last connected, or chosen. */
  readonly #reachedAt = new Map<string, number>();
  /** Until when others are preferred. */
  readonly #away = new Map<string, number>();
  #checking: NodeJS.Timeout | undefined;
  #rotation = 0;

  constructor(options: GrpcChannelOptions) {
    this.#options = options;
    this.#most = options.most ?? mostServers;
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
      if (this.#connections.size === 0) await this.#untilKnown(options.deadline - Date.now());
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
    await this.#untilKnown(timeoutMs);
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
    clearInterval(this.#checking);
    this.#watchers.clear();
    for (const connection of this.#connections.values()) connection.close();
  }

  #update(known: readonly string[]): void {
    this.#known = known;
    for (const address of this.#away.keys()) if (!known.includes(address)) this.#away.delete(address);
    clearInterval(this.#checking);
    if (known.length > this.#most)
      this.#checking = setInterval(() => this.#replaceAway(), checkEveryMs).unref();
    this.#connect();
  }

  #connect(): void {
    const before = this.#connections;
    const chosen = chooseServers(this.#id, this.#known, this.#most, new Set(this.#away.keys()));
    const open = (address: string) => {
      this.#reachedAt.set(address, Date.now());
      return openGrpcConnection({ ...this.#options, address });
    };
    this.#connections = new Map(chosen.map((address) => [address, before.get(address) ?? open(address)]));
    for (const onChange of this.#watchers) onChange(chosen);
    // Owners of streams there have half-closed them, so they end when their calls are answered.
    for (const [address, connection] of before) {
      if (this.#connections.has(address)) continue;
      this.#reachedAt.delete(address);
      connection.close();
    }
  }

  /** Where only some servers are chosen, the loss of a zone must not leave this client with few. */
  #replaceAway(): void {
    const now = Date.now();
    let changed = false;
    for (const [address, until] of this.#away) {
      if (until > now) continue;
      this.#away.delete(address);
      changed = true;
    }
    for (const [address, connection] of this.#connections) {
      if (connection.isReady(true)) this.#reachedAt.set(address, now);
      if (now - (this.#reachedAt.get(address) ?? now) < awayAfterMs || this.#away.has(address)) continue;
      this.#away.set(address, now + awayForMs);
      changed = true;
    }
    if (changed) this.#connect();
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

  async #untilKnown(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, Math.max(0, timeoutMs));
    await Promise.race([this.#addresses.known, promise]);
    clearTimeout(limit);
    if (this.#connections.size === 0) throw notReady(this.#options.address, new Error('no address is known'));
  }
}
