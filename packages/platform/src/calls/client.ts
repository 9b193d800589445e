import type { ClientDuplexStream } from '@grpc/grpc-js';

import { AppError } from '../errors/app-error.ts';
import { type CallKeeper, OpenCall } from './call.ts';
import { cancelled, late, overloaded, unavailable } from './errors.ts';
import { Expiry } from './expiry.ts';
import { type CallStreamLimits, defaultLimits } from './limits.ts';
import type { FrameFormat } from './link.ts';
import { Pace } from './pace.ts';
import { CallStreamPeers, type PeerSource, onePeer } from './peers.ts';
import type { CallBody, CallMessage, ReplyMessage } from './protocol.ts';
import { CallQueue } from './queue.ts';

export interface CallStreamClientOptions<Call, Reply, Request, Response>
  extends FrameFormat<Call, Reply, Request, Response>, Partial<CallStreamLimits> {
  /** Opens a stream, without waiting for the server, e.g. `(peer) => channel.stream(Service.exchange, peer)`. */
  openStream(peer: string): ClientDuplexStream<Request, Response>;
  /** Each call goes to the peer with the fewest open calls. Absent: there is only one. */
  readonly peers?: PeerSource;
  /** Estimated bytes of a call: those of its strings and byte fields are enough. */
  sizeOf(body: CallBody<Call>): number;
  /** For metrics and the log. */
  readonly observer?: CallStreamObserver;
}

export interface CallStreamObserver {
  /** A frame with this many calls was written. */
  frameWritten?(calls: number): void;
  /** Frames can be written again, to a first peer. */
  connected?(): void;
  /** A stream is lost, or its server is about to leave; another one is being opened. */
  disconnected?(error: AppError): void;
}

export interface CallOptions {
  /** Milliseconds since the epoch; kept to within 10 ms. */
  readonly deadline: number;
  readonly signal?: AbortSignal;
}

/**
 * Makes calls over a long-lived stream to each of its peers (protocol.ts). The calls of one tick, or of a few
 * (pace.ts), share a frame per peer. The limits bound its memory, whatever the servers do.
 */
export class CallStreamClient<
  Call extends CallMessage,
  Reply extends ReplyMessage,
  Request,
  Response,
> implements CallKeeper<Call, Reply> {
  readonly #options: CallStreamClientOptions<Call, Reply, Request, Response> & CallStreamLimits;
  readonly #queue = new CallQueue<Call, Reply>();
  readonly #expiry = new Expiry((now) => this.#sweep(now));
  readonly #peers: CallStreamPeers<Call, Reply, Request, Response>;
  #openCalls = 0;
  readonly #pace = new Pace(() => this.#flush());
  #connected = false;
  /** Why calls fail at once: no stream has been open for too long. */
  #outage: AppError | undefined;
  #patience: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** Starts to connect at once and goes on in the background. */
  constructor(options: CallStreamClientOptions<Call, Reply, Request, Response>) {
    this.#options = { ...defaultLimits, ...options };
    this.#waitForConnection(unavailable(new Error('never connected')));
    this.#peers = new CallStreamPeers({
      format: options,
      source: options.peers ?? onePeer,
      open: (peer) => options.openStream(peer),
      onWritable: () => this.#onWritable(),
      onLost: (error) => options.observer?.disconnected?.(error),
      onNoneLeft: (error) => this.#onNoneLeft(error),
    });
  }

  /** Calls that wait to be written or for their reply. */
  get openCalls(): number {
    return this.#openCalls;
  }

  /** Whether a server has taken its stream. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Servers that have taken their streams. */
  get readyPeers(): number {
    return this.#peers.ready.length;
  }

  /**
   * Makes a call and resolves to its reply. It writes the call at most once: if the stream breaks, only the caller
   * knows whether the call is safe to repeat.
   * @throws AppError `deadline_exceeded`; `cancelled` when the signal aborts; `unavailable` when the stream breaks or
   * stays away, or too many calls wait; `too_large`
   */
  call(body: CallBody<Call>, options: CallOptions): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const bytes = this.#options.sizeOf(body);
      const refusal = this.#refusalOf(bytes, options);
      if (refusal !== undefined) return reject(refusal);
      this.#openCalls += 1;
      this.#queue.add(new OpenCall(this, body, bytes, options, { resolve, reject }));
      this.#expiry.watch(options.deadline);
      this.#scheduleFlush();
    });
  }

  /** Accepts no more calls, waits for the open ones until `deadline` (ms since the epoch), and fails the rest. */
  close(deadline: number): Promise<void> {
    this.#closing ??= this.#close(deadline);
    return this.#closing;
  }

  settled(_call: OpenCall<Call, Reply>): void {
    this.#openCalls -= 1;
    if (this.#openCalls === 0) this.#onIdle?.();
  }

  aborted(call: OpenCall<Call, Reply>): void {
    this.#abandon(call, cancelled());
  }

  #refusalOf(bytes: number, { deadline, signal }: CallOptions): AppError | undefined {
    if (this.#closing !== undefined) return unavailable(new Error('the client is closed'));
    if (signal?.aborted) return cancelled();
    if (deadline <= Date.now()) return late();
    if (this.#outage !== undefined) return this.#outage;
    if (bytes > this.#options.maxCallBytes) return new AppError('too_large', 'The request is too large.');
    const { maxOpenCalls, maxQueuedBytes } = this.#options;
    if (this.#openCalls >= maxOpenCalls || this.#queue.bytes + bytes > maxQueuedBytes) return overloaded();
    return undefined;
  }

  #scheduleFlush(): void {
    if (this.#connected) this.#pace.schedule(this.#openCalls);
  }

  #flush(): void {
    const { maxCallsPerFrame, maxFrameBytes, observer } = this.#options;
    while (this.#queue.size > 0) {
      const chosen = this.#peers.choose(this.#queue.size);
      if (chosen === undefined) break;
      const calls = this.#queue.take(Math.min(maxCallsPerFrame, chosen.share), maxFrameBytes);
      chosen.link.write(calls);
      observer?.frameWritten?.(calls.length);
    }
    for (const link of this.#peers.ready) {
      if (!link.writable || !link.hasCancelled) continue;
      link.write([]);
      observer?.frameWritten?.(0);
    }
  }

  #onWritable(): void {
    if (!this.#connected) {
      this.#connected = true;
      this.#outage = undefined;
      clearTimeout(this.#patience);
      this.#options.observer?.connected?.();
    }
    this.#flush();
  }

  #onNoneLeft(error: AppError): void {
    if (this.#connected) this.#waitForConnection(error);
    this.#connected = false;
  }

  #waitForConnection(error: AppError): void {
    this.#patience = setTimeout(() => {
      this.#outage = error;
      this.#failQueued(error);
    }, this.#options.reconnectWaitMs);
  }

  #failQueued(error: AppError): void {
    for (const call of this.#queue) {
      this.#queue.delete(call);
      call.fail(error);
    }
  }

  async #close(deadline: number): Promise<void> {
    if (this.#openCalls > 0) {
      const idle = Promise.withResolvers<void>();
      this.#onIdle = idle.resolve;
      const limit = setTimeout(idle.resolve, Math.max(0, deadline - Date.now()));
      await idle.promise;
      clearTimeout(limit);
    }
    clearTimeout(this.#patience);
    this.#expiry.stop();
    this.#peers.stop();
    this.#connected = false;
    this.#failQueued(unavailable(new Error('the client is closed')));
  }

  #abandon(call: OpenCall<Call, Reply>, error: AppError): void {
    if (!this.#queue.delete(call)) {
      for (const link of this.#peers.links()) if (link.pending.get(call.id) === call) link.cancel(call);
      this.#scheduleFlush();
    }
    call.fail(error);
  }

  #sweep(now: number): number {
    let earliest = Infinity;
    let error: AppError | undefined;
    const visit = (call: OpenCall<Call, Reply>) => {
      if (call.deadline <= now) this.#abandon(call, (error ??= late()));
      else if (call.deadline < earliest) earliest = call.deadline;
    };
    for (const call of this.#queue) visit(call);
    for (const link of this.#peers.links()) for (const call of link.pending.values()) visit(call);
    return earliest;
  }
}
