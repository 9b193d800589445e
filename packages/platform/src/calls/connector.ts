import type { ClientDuplexStream } from '@grpc/grpc-js';

import type { AppError } from '../errors/app-error.ts';
import { unavailable } from './errors.ts';
import { CallStreamLink, type FrameFormat } from './link.ts';
import type { CallMessage, ReplyMessage } from './protocol.ts';

export interface ConnectorOptions<Call, Reply, Request, Response> {
  readonly format: FrameFormat<Call, Reply, Request, Response>;
  /** Opens a stream, without waiting for the server. */
  open(): ClientDuplexStream<Request, Response>;
  /** The current stream can be written to. */
  onWritable(): void;
  /** The stream can no longer be written to. */
  onLost(error: AppError): void;
}

const firstBackoffMs = 50;
const longestBackoffMs = 2_000;

/**
 * Keeps one stream open to one peer. It opens another when it is lost, after jittered, growing pauses, and as soon as
 * the server is about to leave. The channel connects, with pauses of its own.
 */
export class CallStreamConnector<Call extends CallMessage, Reply extends ReplyMessage, Request, Response> {
  readonly #options: ConnectorOptions<Call, Reply, Request, Response>;
  /** The current one and those whose server is about to leave. */
  readonly #links = new Set<CallStreamLink<Call, Reply, Request, Response>>();
  #current: CallStreamLink<Call, Reply, Request, Response> | undefined;
  #failures = 0;
  #readySince = Infinity;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ConnectorOptions<Call, Reply, Request, Response>) {
    this.#options = options;
    this.#open();
  }

  /** The stream for the next call; it may not be ready yet. */
  get current(): CallStreamLink<Call, Reply, Request, Response> | undefined {
    return this.#current;
  }

  get links(): ReadonlySet<CallStreamLink<Call, Reply, Request, Response>> {
    return this.#links;
  }

  /** Sends nothing more; open calls still get their replies. */
  retire(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const link of this.#links) link.leave();
  }

  /** Ends all streams; their open calls fail. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const link of this.#links) link.destroy();
  }

  #open(): void {
    try {
      const link = new CallStreamLink(this.#options.open(), this.#options.format, {
        writable: () => this.#becameWritable(),
        leaving: () => this.#lose(new Error('the server is about to leave'), this.#nextPause()),
        closed: (closed, error) => this.#closed(closed, error),
      });
      this.#current = link;
      this.#links.add(link);
    } catch (error) {
      this.#lose(error, this.#nextPause());
    }
  }

  #becameWritable(): void {
    if (this.#readySince === Infinity) this.#readySince = Date.now();
    this.#options.onWritable();
  }

  #closed(link: CallStreamLink<Call, Reply, Request, Response>, error: AppError): void {
    this.#links.delete(link);
    if (link === this.#current) this.#lose(error.cause, this.#nextPause());
  }

  #lose(cause: unknown, pauseMs: number): void {
    this.#current = undefined;
    this.#readySince = Infinity;
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.#open(), pauseMs);
    this.#options.onLost(unavailable(cause));
  }

  /** Grows until a stream has lasted, so that one that breaks as soon as it opens is not reopened in a loop. */
  #nextPause(): number {
    if (Date.now() - this.#readySince > longestBackoffMs) this.#failures = 0;
    const most = Math.min(longestBackoffMs, firstBackoffMs * 2 ** this.#failures);
    this.#failures += 1;
    return Math.random() * most;
  }
}
