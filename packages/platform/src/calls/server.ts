import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js';

import { AppError, toAppError } from '../errors/app-error.ts';
import { type WireError, toWireError } from '../errors/grpc.ts';
import { type CallScope, scopeOf } from '../telemetry/call-scope.ts';
import { BusyMap } from '../values/busy-map.ts';
import { InboundCall } from './inbound.ts';
import type { CallMessage, ReplyMessage } from './protocol.ts';

export type { InboundCall } from './inbound.ts';

export interface CallStreamServerOptions<
  Call extends CallMessage,
  Reply extends ReplyMessage,
  Request,
  Response,
> {
  readonly stream: ServerDuplexStream<Request, Response>;
  callsOf(request: Request): readonly Call[];
  cancelledOf(request: Request): readonly number[];
  frameOf(replies: Reply[]): Response;
  errorReply(id: number, error: WireError): Reply;
  /** Estimated bytes of a reply: those of its strings and byte fields are enough. */
  sizeOf(reply: Reply): number;
  /**
   * Answers the calls of one frame, each by its `reply`, before it returns or its promise settles. Calls that it
   * leaves unanswered fail with the AppError that it throws, or as `internal`.
   */
  handleFrame(calls: readonly InboundCall<Call, Reply>[], peer: string): Promise<void> | void;
  /** With so many unanswered calls the server stops reading from the peer. */
  readonly maxInFlight?: number;
  /** The replies of a tick are split into frames of about this size. */
  readonly maxFrameBytes?: number;
  /** A larger reply is replaced by `too_large`; keep it below the channel's message limit. */
  readonly maxReplyBytes?: number;
}

const defaults = {
  maxInFlight: 1024,
  maxFrameBytes: 256 * 1024,
  maxReplyBytes: 8 * 1024 * 1024,
};

/**
 * Serves one call stream (protocol.ts) of a method of a server that `startGrpcServer` has started. Name the four
 * message types: `serveCallStream<Call, Reply, Request, Response>({…})`.
 */
export function serveCallStream<Call extends CallMessage, Reply extends ReplyMessage, Request, Response>(
  options: CallStreamServerOptions<Call, Reply, Request, Response>,
): void {
  const scope = scopeOf(options.stream.metadata);
  if (scope.draining.aborted) refuse(options.stream, status.UNAVAILABLE, 'The server is about to leave.');
  else new ServedStream(options, scope).start();
}

/** grpc-js ends a stream with the status that is emitted as an error. */
function refuse(stream: ServerDuplexStream<unknown, unknown>, code: status, details: string): void {
  stream.emit('error', Object.assign(new Error(details), { code, details }));
}

class ServedStream<Call extends CallMessage, Reply extends ReplyMessage, Request, Response> {
  readonly #options: CallStreamServerOptions<Call, Reply, Request, Response> & typeof defaults;
  readonly #scope: CallScope;
  /** Open calls of the peer, by id. */
  readonly #open = new BusyMap<number, InboundCall<Call, Reply>>();
  /** Answered, not written yet. */
  #answered: InboundCall<Call, Reply>[] = [];
  /** Running calls, and those whose reply is not written. A cancelled call counts while its frame runs. */
  #inFlight = 0;
  #flushScheduled = false;
  #full = false;
  #state: 'open' | 'half-closed' | 'ended' = 'open';

  constructor(options: CallStreamServerOptions<Call, Reply, Request, Response>, scope: CallScope) {
    this.#options = { ...defaults, ...options };
    this.#scope = scope;
  }

  start(): void {
    const { stream } = this.#options;
    const { draining, logger, peer } = this.#scope;
    const askToLeave = () => {
      if (this.#state === 'open') stream.write(this.#options.frameOf([]));
    };
    draining.addEventListener('abort', askToLeave);
    stream.on('data', (request: Request) => this.#receive(request));
    stream.on('end', () => {
      if (this.#state === 'open') this.#state = 'half-closed';
      this.#endWhenDone();
    });
    stream.on('drain', () => {
      this.#full = false;
      this.#flush();
    });
    stream.on('close', () => {
      draining.removeEventListener('abort', askToLeave);
      this.#abandonAll();
      logger.info({ peer }, 'call stream closed');
    });
    stream.sendMetadata(new Metadata());
    logger.info({ peer }, 'call stream opened');
  }

  #receive(request: Request): void {
    const receivedAt = Date.now();
    const calls: InboundCall<Call, Reply>[] = [];
    for (const message of this.#options.callsOf(request)) {
      if (this.#open.has(message.id)) return this.#breakOff(`the id ${message.id} is in use`);
      const call = new InboundCall<Call, Reply>(message, receivedAt, this.#onReply);
      this.#open.set(message.id, call);
      calls.push(call);
    }
    for (const id of this.#options.cancelledOf(request)) this.#cancel(id);
    if (calls.length === 0) return;
    this.#inFlight += calls.length;
    this.#regulate();
    void this.#run(calls);
  }

  #cancel(id: number): void {
    this.#open.get(id)?.cancel();
    this.#open.delete(id);
  }

  async #run(calls: readonly InboundCall<Call, Reply>[]): Promise<void> {
    try {
      await this.#options.handleFrame(calls, this.#scope.peer);
      const left = calls.filter((call) => call.unanswered).length;
      if (left > 0) throw new Error(`the handler left ${left} calls unanswered`);
    } catch (thrown) {
      this.#failFrame(calls, thrown);
    }
    // A cancelled call is done here; the others count until their reply is written.
    this.#inFlight -= calls.filter((call) => call.answer === undefined).length;
    this.#regulate();
    this.#endWhenDone();
  }

  #failFrame(calls: readonly InboundCall<Call, Reply>[], thrown: unknown): void {
    const error = toAppError(thrown);
    const line = { err: error, peer: this.#scope.peer, calls: calls.length };
    this.#scope.logger[error.code === 'internal' ? 'error' : 'warn'](line, 'a frame of calls failed');
    const wire = toWireError(error);
    for (const call of calls) {
      if (call.unanswered) call.reply(this.#options.errorReply(call.call.id, wire));
    }
  }

  readonly #onReply = (call: InboundCall<Call, Reply>): void => {
    this.#answered.push(call);
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    setImmediate(() => {
      this.#flushScheduled = false;
      this.#flush();
    });
  };

  #flush(): void {
    while (this.#answered.length > 0 && !this.#full && this.#state !== 'ended') {
      const replies = this.#takeReplies();
      if (replies.length > 0) this.#full = !this.#options.stream.write(this.#options.frameOf(replies));
    }
    this.#regulate();
    this.#endWhenDone();
  }

  /** The replies of the next frame, without those of calls cancelled meanwhile. */
  #takeReplies(): Reply[] {
    const { maxFrameBytes, maxReplyBytes } = this.#options;
    const replies: Reply[] = [];
    let bytes = 0;
    let taken = 0;
    for (const call of this.#answered) {
      const size = call.cancelled ? 0 : this.#options.sizeOf(call.answer as Reply);
      const tooLarge = size > maxReplyBytes;
      if (!tooLarge) bytes += size;
      if (replies.length > 0 && bytes > maxFrameBytes) break;
      taken += 1;
      this.#open.delete(call.call.id);
      if (call.cancelled) continue;
      replies.push(tooLarge ? this.#options.errorReply(call.call.id, replyTooLarge) : (call.answer as Reply));
    }
    this.#answered = this.#answered.slice(taken);
    this.#inFlight -= taken;
    return replies;
  }

  /** Reads from the peer only while there is room for more calls and their replies. */
  #regulate(): void {
    const { stream, maxInFlight } = this.#options;
    if (this.#state === 'ended') return;
    if (this.#inFlight >= maxInFlight || this.#full) stream.pause();
    else if (stream.isPaused()) stream.resume();
  }

  #endWhenDone(): void {
    if (this.#state !== 'half-closed' || this.#inFlight > 0) return;
    this.#state = 'ended';
    this.#options.stream.end();
  }

  #breakOff(reason: string): void {
    this.#scope.logger.error({ peer: this.#scope.peer, reason }, 'broke off a call stream');
    refuse(this.#options.stream, status.INVALID_ARGUMENT, reason);
    this.#abandonAll();
  }

  #abandonAll(): void {
    this.#state = 'ended';
    for (const call of this.#open.values()) call.cancel();
    this.#open.clear();
  }
}

const replyTooLarge = toWireError(new AppError('too_large', 'The response is too large.'));
