import { type EgressOutcome, classifyEgressError } from '@glovebox/egress/classify-egress-error';
import type { Dispatcher } from 'undici';

import type { OutlineNotes } from '../http/exchange.ts';
import type { Passage } from './destination-gates.ts';

/** A status, whichever it is, is an answer; so is anything that is no valid HTTP. */
const failures: ReadonlySet<EgressOutcome> = new Set(['dns', 'connect', 'tls', 'timeout', 'reset']);

/** Reports to a passage whether the destination answered, counts the bytes of its body, and forwards everything. */
export class WatchedAnswer implements Dispatcher.DispatchHandler {
  readonly #passage: Passage;
  readonly #inner: Dispatcher.DispatchHandler;
  readonly #notes: Pick<OutlineNotes, 'responseBytes'>;

  constructor(
    passage: Passage,
    inner: Dispatcher.DispatchHandler,
    notes: Pick<OutlineNotes, 'responseBytes'>,
  ) {
    this.#passage = passage;
    this.#inner = inner;
    this.#notes = notes;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#inner.onRequestStart?.(controller, context);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2],
    statusMessage?: string,
  ): void {
    if (statusCode >= 200) this.#passage.answered();
    this.#inner.onResponseStart?.(controller, statusCode, headers, statusMessage);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#notes.responseBytes += chunk.length;
    this.#inner.onResponseData?.(controller, chunk);
  }

  onResponseEnd(
    controller: Dispatcher.DispatchController,
    trailers: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>[1],
  ): void {
    this.#inner.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (failures.has(classifyEgressError(error))) this.#passage.failed();
    this.#inner.onResponseError?.(controller, error);
  }
}
