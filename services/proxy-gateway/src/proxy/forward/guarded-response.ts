import { valueOf, withoutHeaders } from '@glovebox/egress/header-list';
import { responseHeaders } from '@glovebox/egress/headers';
import type { Dispatcher } from 'undici';

import { type BodySink, type GuardedBody, guardBody } from '../../guard/guarded-body.ts';
import { type ResponseGuard, guardHeader } from '../../guard/response-guard.ts';
import { destinationHeaders, ownHeaders } from '../../http/answer-headers.ts';
import { countPassedChunk, freeBytes } from '../../http/body/body-memory.ts';
import { type Exchange, isClientGone } from '../../http/exchange.ts';
import { maxTextBytes, writeHead } from './streamed-response.ts';

/** The head of an answer waits so long for its body to be searched, and for no more bytes of it than these. */
const maxHeadWaitMs = 20;
const maxHeadWaitBytes = freeBytes;

interface Head {
  readonly status: number;
  readonly phrase: string;
  readonly headers: string[];
  /** As the response announced it; NaN when it did not. */
  readonly contentLength: number;
}

const nothing = Buffer.alloc(0);
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
const contentLengthName: ReadonlySet<string> = new Set(['content-length']);

/**
 * Passes a destination's response on as it arrives, through the leak guard (contract/proxies.md#leak-guard), with
 * back-pressure both ways. In the modes `report` and `refuse` the head waits a little for what the body's beginning
 * says.
 */
export class GuardedResponse implements Dispatcher.DispatchHandler, BodySink {
  readonly #exchange: Exchange;
  readonly #guard: ResponseGuard;
  readonly #resolve: (response: 'streamed') => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  /** Until it is written. */
  #head: Head | undefined;
  #body: GuardedBody | undefined;
  /** What may pass as soon as the head is written. */
  #waiting: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #complete = false;
  /** All of the body has come. */
  #arrived = false;
  #failed = false;

  constructor(
    exchange: Exchange,
    guard: ResponseGuard,
    resolve: (response: 'streamed') => void,
    reject: (error: unknown) => void,
  ) {
    this.#exchange = exchange;
    this.#guard = guard;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { response } = this.#exchange;
    if (isClientGone(response)) this.#abortIfGone();
    else response.once('close', this.#abortIfGone);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    _headers?: unknown,
    statusMessage = '',
  ): void {
    // Informational answers (RFC 9110 section 15.2) are between the destination and us.
    if (statusCode < 200) return;
    this.#exchange.logFields.destinationStatus = statusCode;
    try {
      this.#begin(controller, statusCode, statusMessage);
    } catch (error) {
      this.fail(error);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#failed) return;
    countPassedChunk(chunk.length);
    const body = this.#body;
    if (body === undefined) return;
    // A body that is whole needs no distinction from its head.
    this.#complete = chunk.length === this.#head?.contentLength;
    const ready = body.push(chunk);
    this.onSearched();
    if (ready) return;
    controller.pause();
    body.whenReady(() => controller.resume());
  }

  onResponseEnd(): void {
    if (this.#failed) return;
    // What is left to do takes no time of the destination's: the head may wait for it.
    this.#arrived = true;
    clearTimeout(this.#timer);
    const rest = this.#body?.end();
    if (rest === undefined) this.#end();
    else void rest.then(() => this.#end());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  pass(chunk: Buffer): boolean {
    if (this.#failed || chunk.length === 0) return true;
    if (this.#head === undefined) return this.#exchange.response.write(chunk);
    this.#waiting.push(chunk);
    return true;
  }

  whenReady(next: () => void): void {
    this.#exchange.response.once('drain', next);
  }

  /** Writes the head as soon as it is known what it says. */
  onSearched(): void {
    const head = this.#head;
    if (head === undefined || this.#failed || this.#complete) return;
    const searched = this.#body?.searched ?? 0;
    const isKnown = this.#guard.hasFound || searched >= maxHeadWaitBytes;
    // A stream of unknown length may be events, and the client waits for each.
    if (isKnown || this.#guard.mode === 'mask' || (Number.isNaN(head.contentLength) && searched > 0))
      this.#writeHead();
  }

  fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#leave();
    this.#reject(error);
    this.#controller?.abort(error instanceof Error ? error : new Error('refused', { cause: error }));
  }

  /** @throws AppError */
  #begin(controller: Dispatcher.DispatchController, status: number, statusMessage: string): void {
    const received = responseHeaders((controller.rawHeaders ?? []) as readonly Buffer[]);
    const { phrase, headers: checked } = this.#guard.checkHead(statusMessage, received);
    const contentLength = Number(valueOf(received, 'content-length') ?? Number.NaN);
    const coding = valueOf(received, 'content-encoding');
    const hasBody = !bodiless.has(status) && contentLength !== 0;
    if (hasBody) this.#body = guardBody(this.#guard, coding, this.#exchange.bounds.decodedRatio, this);
    const headers = this.#body?.isRewritten === true ? withoutHeaders(checked, contentLengthName) : checked;
    this.#head = { status, phrase, headers, contentLength };
    process.nextTick(this.#expect);
  }

  /** The body did not come with its head. */
  readonly #expect = (): void => {
    if (this.#head === undefined || this.#failed || this.#arrived) return;
    if (this.#guard.mode === 'mask' || this.#guard.inHeaders) this.#writeHead();
    else this.#timer ??= setTimeout(this.#writeHead, maxHeadWaitMs);
  };

  readonly #writeHead = (): void => {
    const { response } = this.#exchange;
    if (!this.#sendHead()) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    // Not flushHeaders(): that writes bytes above ASCII as UTF-8.
    if (waiting.length === 0) response.write(nothing);
    for (const chunk of waiting) response.write(chunk);
  };

  /** @returns whether the response can go on */
  #sendHead(): boolean {
    const head = this.#head;
    if (head === undefined) return !this.#failed;
    this.#head = undefined;
    clearTimeout(this.#timer);
    const { response } = this.#exchange;
    const { status, phrase, headers } = head;
    const guard = this.#guard;
    const own = ownHeaders(this.#exchange, headers);
    headers.push(...own, ...destinationHeaders(this.#exchange, status));
    if (guard.mode === 'report' && guard.hasFound) headers.push(...guardHeader);
    response.sendDate = false;
    try {
      writeHead(response, status, phrase, headers);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  #end(): void {
    if (this.#failed) return;
    const { response } = this.#exchange;
    const waits = this.#head !== undefined;
    if (!this.#sendHead()) return;
    this.#leave();
    if (waits) {
      const body = this.#waiting.length === 1 ? this.#waiting[0]! : Buffer.concat(this.#waiting);
      if (body.length <= maxTextBytes) response.end(body.toString('latin1'), 'latin1');
      else response.end(body);
    } else response.end();
    this.#resolve('streamed');
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#body?.destroy();
    this.#exchange.response.off('close', this.#abortIfGone);
  }

  readonly #abortIfGone = (): void => {
    if (!isClientGone(this.#exchange.response)) return;
    this.fail(new DOMException('The client went away.', 'AbortError'));
  };
}
