import type { ClientDuplexStream } from '@grpc/grpc-js';

import { type CallKeeper, OpenCall } from './call-stream-call.ts';
import { CallStreamConnector } from './call-stream-connector.ts';
import { cancelled, late, overloaded, unavailable } from './call-stream-errors.ts';
import { Expiry } from './call-stream-expiry.ts';
import { type CallStreamLimits, defaultLimits } from './call-stream-limits.ts';
import type { CallStreamLink, FrameFormat } from './call-stream-link.ts';
import type { CallBody, CallMessage, ReplyMessage } from './call-stream-protocol.ts';
import { CallQueue } from './call-stream-queue.ts';
import { AppError } from './errors.ts';

export interface CallStreamClientOptions<Call, Reply, Request, Response>
  extends FrameFormat<Call, Reply, Request, Response>, Partial<CallStreamLimits> {
  /** Opens the stream, without waiting for the server, e.g. `() => channel.stream(Service.exchange)`. */
  openStream(): ClientDuplexStream<Request, Response>;
  /** About how many bytes a call takes: those of its strings and byte fields will do. */
  sizeOf(body: CallBody<Call>): number;
  /** For metrics and the log. */
  readonly observer?: CallStreamObserver;
}

export interface CallStreamObserver {
  /** A frame with this many calls was written. */
  frameWritten?(calls: number): void;
  /** Frames can be written again. */
  connected?(): void;
  /** The stream is lost or its server about to leave; another is being opened. */
  disconnected?(error: AppError): void;
}

export interface CallOptions {
  /** Milliseconds since the epoch; kept to within 10 ms. */
  readonly deadline: number;
  readonly signal?: AbortSignal;
}

/**
 * Makes calls over one long-lived stream (call-stream-protocol.ts). The calls of one tick travel in one frame;
 * memory is bounded by the limits, whatever the server does.
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
  readonly #connector: CallStreamConnector<Call, Reply, Request, Response>;
  #openCalls = 0;
  #flushScheduled = false;
  #connected = false;
  /** Why calls fail at once: the stream has been away for too long. */
  #outage: AppError | undefined;
  #patience: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** Starts to connect at once and goes on in the background. */
  constructor(options: CallStreamClientOptions<Call, Reply, Request, Response>) {
    this.#options = { ...defaultLimits, ...options };
    this.#waitForConnection(unavailable(new Error('never connected')));
    this.#connector = new CallStreamConnector({
      format: options,
      open: () => options.openStream(),
      onWritable: () => this.#onWritable(),
      onLost: (error) => this.#onLost(error),
    });
  }

  /** Calls that wait to be written or for their reply. */
  get openCalls(): number {
    return this.#openCalls;
  }

  /** Whether the server has taken the stream. */
  get connected(): boolean {
    return this.#connected;
  }

  /**
   * Makes a call and resolves to its reply. It is written once at most: what becomes of a call whose stream
   * breaks is not known, and only the caller can tell whether it may be made again.
   *
   * Rejects with AppError `deadline_exceeded`; `cancelled`, when the signal aborts; `unavailable`, when the
   * stream breaks, stays away, or too much is waiting already; `too_large`.
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

  /** Takes no more calls, waits for the open ones until `deadline` (ms since the epoch), and fails the rest. */
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

  /** The stream for the next frame: with several peers, this is where one is chosen. */
  #pick(): CallStreamLink<Call, Reply, Request, Response> | undefined {
    const { current } = this.#connector;
    return current?.writable ? current : undefined;
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled || !this.#connected) return;
    this.#flushScheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushScheduled = false;
    for (;;) {
      const link = this.#pick();
      if (link === undefined || (this.#queue.size === 0 && !link.hasCancelled)) return;
      const calls = this.#queue.take(this.#options.maxCallsPerFrame, this.#options.maxFrameBytes);
      link.write(calls);
      this.#options.observer?.frameWritten?.(calls.length);
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

  #onLost(error: AppError): void {
    if (this.#connected) this.#waitForConnection(error);
    this.#connected = false;
    this.#options.observer?.disconnected?.(error);
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
    this.#connector.stop();
    this.#connected = false;
    this.#failQueued(unavailable(new Error('the client is closed')));
  }

  #abandon(call: OpenCall<Call, Reply>, error: AppError): void {
    if (!this.#queue.delete(call)) {
      for (const link of this.#connector.links) if (link.pending.get(call.id) === call) link.cancel(call);
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
    for (const link of this.#connector.links) for (const call of link.pending.values()) visit(call);
    return earliest;
  }
}
