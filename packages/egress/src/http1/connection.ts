import type { Socket } from 'node:net';

import { errors } from 'undici';

import type { AnswerHead } from './answer-head.ts';
import { AnswerReader, type AnswerSink } from './answer-reader.ts';
import { BrokenAnswer } from './broken-answer.ts';
import type { DispatchedRequest, RequestPlace } from './dispatched-request.ts';
import { type PartWriter, sendParts } from './send-parts.ts';
import type { Sweep, Timed } from './sweep.ts';
import type { WriteTurns, Writer } from './write-turns.ts';

/** The connections of one origin, as far as one of them has to know. */
export interface ConnectionOwner {
  readonly turns: WriteTurns;
  readonly sweep: Sweep;
  readonly keepAliveMs: number;
  readonly keepAliveMaxMs: number;
  /** It may be used again. */
  release(connection: Connection): void;
  /** It is closed. */
  remove(connection: Connection): void;
  /** Nothing of the request was sent. */
  requeue(request: DispatchedRequest): void;
}

/** Kept for so much less than the destination says, so that no request meets the end of its patience. */
const keepAliveMarginMs = 2_000;
/** A body of up to so many bytes is copied behind its head: one buffer, one system call. */
const maxCopiedBytes = 64 * 1024;

/** One socket, with one request at a time. */
export class Connection implements AnswerSink, PartWriter, RequestPlace, Timed, Writer {
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #reader = new AnswerReader(this);
  #request: DispatchedRequest | undefined;
  /** The request's first byte was written. */
  #isBegun = false;
  /** So was its last. */
  #isSent = false;
  #head: AnswerHead | undefined;
  /** What was not read yet because the handler paused. */
  #unread: Buffer | undefined;
  #deadline = Infinity;
  #isGone = false;
  /** It was used, or idle, before: that it ends then says nothing about the request that it was just given. */
  #isProven = false;
  #idleUntilMs = Infinity;
  #drained: () => void = () => undefined;
  restedSince: number;

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
    this.restedSince = owner.turns.rest();
    owner.sweep.add(this);
    socket.on('data', (bytes: Buffer) => this.#onBytes(bytes));
    socket.on('end', () => this.#onEnd());
    socket.on('error', (error: Error) => this.destroy(error));
    socket.on('close', () => this.destroy(new errors.SocketError('closed')));
    socket.on('drain', () => this.#drained());
  }

  /** It has no request, and is kept for one. */
  becomeIdle(): void {
    this.#isProven = true;
    const kept = this.#head?.keepAliveMs;
    const keepMs = kept === undefined ? this.#owner.keepAliveMs : kept - keepAliveMarginMs;
    this.#idleUntilMs = performance.now() + Math.min(keepMs, this.#owner.keepAliveMaxMs);
    this.#socket.unref();
  }

  /** Whether it was idle for longer than the destination may keep it. */
  get isStale(): boolean {
    return performance.now() >= this.#idleUntilMs;
  }

  /** The request is written in one of the next turns. */
  assign(request: DispatchedRequest): void {
    this.#request = request;
    request.place = this;
    this.#isBegun = false;
    this.#isSent = false;
    this.#idleUntilMs = Infinity;
    this.#socket.ref();
    this.#owner.turns.add(this);
  }

  write(): void {
    const request = this.#request;
    if (this.#isGone) return;
    if (request === undefined) return this.#settle();
    const { head, body, isHead, mayHaveBody } = request.outgoing;
    this.#isBegun = true;
    this.#head = undefined;
    this.#reader.begin(isHead);
    this.#await(request.timeouts.headersMs);
    if (request.parts !== undefined) {
      void sendParts(this, request, request.parts);
      return;
    }
    if (!Buffer.isBuffer(body))
      this.#socket.write(`${head}${mayHaveBody ? 'content-length: 0\r\n' : ''}\r\n`, 'latin1');
    else this.#writeWhole(`${head}content-length: ${body.length}\r\n\r\n`, body);
    this.#isSent = true;
  }

  #writeWhole(head: string, body: Buffer): void {
    if (body.length <= maxCopiedBytes) {
      const all = Buffer.allocUnsafe(head.length + body.length);
      all.write(head, 'latin1');
      body.copy(all, head.length);
      this.#socket.write(all);
      return;
    }
    this.#socket.cork();
    this.#socket.write(head, 'latin1');
    this.#socket.write(body);
    this.#socket.uncork();
  }

  carries(request: DispatchedRequest): boolean {
    return this.#request === request;
  }

  writePart(before: string, part: Uint8Array, after: string): boolean {
    this.#socket.cork();
    this.#socket.write(before, 'latin1');
    this.#socket.write(part);
    const isReady = this.#socket.write(after, 'latin1');
    this.#socket.uncork();
    if (this.#head === undefined && this.#request !== undefined)
      this.#await(this.#request.timeouts.headersMs);
    return isReady;
  }

  endParts(last: string): void {
    if (last !== '') this.#socket.write(last, 'latin1');
    this.#isSent = true;
    if (this.#head === undefined && this.#request !== undefined)
      this.#await(this.#request.timeouts.headersMs);
  }

  untilDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = resolve;
    });
  }

  #onBytes(bytes: Buffer): void {
    if (this.#isGone) return;
    if (this.#request === undefined || !this.#isBegun) this.destroy(new BrokenAnswer('unasked'));
    else this.#read(bytes);
  }

  #read(bytes: Buffer): void {
    const request = this.#request;
    let count: number;
    try {
      count = this.#reader.read(bytes);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    if (request === undefined || this.#request !== request) return;
    if (request.paused) {
      this.#unread = bytes.subarray(count);
      this.#socket.pause();
    } else if (this.#reader.isOver) this.#complete(request, count === bytes.length);
    else if (this.#head !== undefined) this.#await(request.timeouts.bodyMs);
  }

  resume(): void {
    const unread = this.#unread;
    if (unread === undefined) return;
    this.#unread = undefined;
    this.#read(unread);
    if (this.#unread === undefined && !this.#isGone) this.#socket.resume();
  }

  onInterim(): void {
    if (this.#request !== undefined) this.#await(this.#request.timeouts.headersMs);
  }

  onHead(head: AnswerHead): boolean {
    this.#head = head;
    return this.#request?.start(head) ?? false;
  }

  onData(data: Buffer): boolean {
    return this.#request?.data(data) ?? false;
  }

  /** @param isExact nothing came after the answer */
  #complete(request: DispatchedRequest, isExact: boolean): void {
    const { trailers } = this.#reader;
    const isReusable = isExact && this.#isSent && !request.outgoing.closes && this.#staysOpen();
    this.#forget();
    if (isReusable) this.#rest();
    else this.destroy();
    request.end(trailers);
  }

  #rest(): void {
    this.#isProven = true;
    this.restedSince = this.#owner.turns.rest();
    if (this.#socket.writableLength === 0) this.#owner.release(this);
    else this.#owner.turns.add(this);
  }

  /** A TLS socket hears only in the next turn that all was written. If it was not, an early answer left it behind. */
  #settle(): void {
    if (this.#socket.writableLength === 0) this.#owner.release(this);
    else this.destroy();
  }

  #staysOpen(): boolean {
    const head = this.#head;
    if (head === undefined || !head.staysOpen) return false;
    // A body is not allowed with these: it would be read as the next answer.
    if ((head.status === 204 || head.status === 304) && (head.isChunked || (head.length ?? 0) > 0))
      return false;
    return head.keepAliveMs === undefined || head.keepAliveMs > keepAliveMarginMs;
  }

  #onEnd(): void {
    const request = this.#request;
    if (request !== undefined && this.#reader.end()) {
      this.#forget();
      this.destroy();
      request.end([]);
    } else this.destroy(new errors.SocketError('other side closed'));
  }

  /** The request was ended by our side: what is left of its answer must not be taken for another's. */
  leave(): void {
    this.#forget();
    this.destroy();
  }

  /** @param error for the request that is on it; one of which nothing was sent goes back where that is no answer to it */
  destroy(error: Error = new errors.SocketError('closed')): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const request = this.#request;
    const isUntouched = !this.#isBegun && this.#isProven;
    this.#forget();
    this.#owner.sweep.delete(this);
    this.#socket.destroy();
    if (request !== undefined) request.place = undefined;
    if (isUntouched && request !== undefined) this.#owner.requeue(request);
    this.#owner.remove(this);
    if (!isUntouched) request?.fail(error);
  }

  #forget(): void {
    this.#request = undefined;
    this.#unread = undefined;
    this.#deadline = Infinity;
    this.#drained();
  }

  #await(ms: number): void {
    this.#deadline = this.#owner.sweep.deadlineAfter(ms);
  }

  check(now: number): void {
    const request = this.#request;
    if (request === undefined) {
      if (this.isStale) this.destroy();
    } else if (now >= this.#deadline && this.#isBegun && !request.paused && !this.#waitsForUs) {
      this.destroy(
        this.#head === undefined ? new errors.HeadersTimeoutError() : new errors.BodyTimeoutError(),
      );
    }
  }

  /** For more of the request's body. */
  get #waitsForUs(): boolean {
    return this.#head === undefined && !this.#isSent && !this.#socket.writableNeedDrain;
  }
}
