import type { ClientDuplexStream } from '@grpc/grpc-js';

import type { AppError } from '../errors/app-error.ts';
import { CallStreamConnector } from './connector.ts';
import { unavailable } from './errors.ts';
import type { CallStreamLink, FrameFormat } from './link.ts';
import type { CallMessage, ReplyMessage } from './protocol.ts';

/** Knows which peers can be called; a channel is one (grpc/client.ts). */
export interface PeerSource {
  /**
   * Calls back with all of them, at once if they are known and at each change, until the returned function is called.
   */
  watch(onChange: (peers: readonly string[]) => void): () => void;
  /** One of them was lost, so others may exist by now. */
  suspect(): void;
}

export interface PeersOptions<Call, Reply, Request, Response> {
  readonly format: FrameFormat<Call, Reply, Request, Response>;
  readonly source: PeerSource;
  /** Opens a stream to one of them, without waiting for it. */
  open(peer: string): ClientDuplexStream<Request, Response>;
  /** A stream can be written to. */
  onWritable(): void;
  /** A stream was lost or its server is about to leave. */
  onLost(error: AppError): void;
  /** The last stream that could be written to is gone. */
  onNoneLeft(error: AppError): void;
}

interface Choice<Link> {
  readonly link: Link;
  /** The most calls it should take, so that all peers have about as many open. */
  readonly share: number;
}

/** A stream to each peer. Broken ones are retried and get no calls meanwhile. */
export class CallStreamPeers<Call extends CallMessage, Reply extends ReplyMessage, Request, Response> {
  readonly #options: PeersOptions<Call, Reply, Request, Response>;
  readonly #connectors = new Map<string, CallStreamConnector<Call, Reply, Request, Response>>();
  /** Of peers that are no longer called; their open calls go on. */
  readonly #retired = new Set<CallStreamConnector<Call, Reply, Request, Response>>();
  readonly #unwatch: () => void;
  #ready: CallStreamLink<Call, Reply, Request, Response>[] = [];
  #rotation = 0;

  constructor(options: PeersOptions<Call, Reply, Request, Response>) {
    this.#options = options;
    this.#unwatch = options.source.watch((peers) => this.#update(peers));
  }

  /** Streams that their servers have taken. */
  get ready(): readonly CallStreamLink<Call, Reply, Request, Response>[] {
    return this.#ready;
  }

  /** Every stream that may hold open calls. */
  *links(): Generator<CallStreamLink<Call, Reply, Request, Response>> {
    for (const connector of this.#connectors.values()) yield* connector.links;
    for (const connector of this.#retired) yield* connector.links;
  }

  /**
   * The writable stream with the fewest open calls; equal ones take turns.
   * @param waiting calls that have no stream yet
   */
  choose(waiting: number): Choice<CallStreamLink<Call, Reply, Request, Response>> | undefined {
    const [only] = this.#ready;
    if (this.#ready.length === 1 && only !== undefined) {
      return only.writable ? { link: only, share: Infinity } : undefined;
    }
    let best: CallStreamLink<Call, Reply, Request, Response> | undefined;
    let writable = 0;
    let open = waiting;
    this.#rotation += 1;
    for (let at = 0; at < this.#ready.length; at += 1) {
      const link = this.#ready[(this.#rotation + at) % this.#ready.length];
      if (!link?.writable) continue;
      writable += 1;
      open += link.pending.size;
      if (best === undefined || link.pending.size < best.pending.size) best = link;
    }
    if (best === undefined) return undefined;
    return { link: best, share: Math.max(1, Math.ceil(open / writable) - best.pending.size) };
  }

  /** Ends all streams; their open calls fail. */
  stop(): void {
    this.#unwatch();
    for (const connector of [...this.#connectors.values(), ...this.#retired]) connector.stop();
    this.#ready = [];
  }

  #update(peers: readonly string[]): void {
    for (const [peer, connector] of this.#connectors) {
      if (peers.includes(peer)) continue;
      this.#connectors.delete(peer);
      this.#retired.add(connector);
      connector.retire();
    }
    for (const peer of peers) {
      if (this.#connectors.has(peer)) continue;
      const connector = new CallStreamConnector({
        format: this.#options.format,
        open: () => this.#options.open(peer),
        onWritable: () => {
          this.#refresh();
          this.#options.onWritable();
        },
        onLost: (error) => {
          this.#options.onLost(error);
          this.#refresh(error);
          this.#options.source.suspect();
        },
      });
      this.#connectors.set(peer, connector);
    }
    this.#refresh();
  }

  #refresh(error = unavailable(new Error('no ready server is a peer any more'))): void {
    const before = this.#ready.length;
    this.#ready = [];
    for (const { current } of this.#connectors.values()) if (current?.ready) this.#ready.push(current);
    for (const connector of this.#retired) if (connector.links.size === 0) this.#retired.delete(connector);
    if (before > 0 && this.#ready.length === 0) this.#options.onNoneLeft(error);
  }
}

/** The peer of a client without a list of peers. */
export const onePeer: PeerSource = {
  watch(onChange) {
    onChange(['']);
    return () => undefined;
  },
  suspect: () => undefined,
};
