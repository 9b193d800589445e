import { responseHeaders } from '@glovebox/egress/headers';
import type { Dispatcher } from 'undici';

import type { Exchange } from '../http/exchange.ts';

/**
 * Passes a destination's response on as it arrives: status, raw headers and body, with back-pressure both ways.
 * When the client goes away the destination's request is aborted.
 */
export class StreamedResponse implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(exchange: Exchange, resolve: () => void, reject: (error: unknown) => void) {
    this.#exchange = exchange;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { gone } = this.#exchange;
    if (gone.aborted) this.#abort();
    else gone.addEventListener('abort', this.#abort, { once: true });
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number): void {
    const { response, correlationId, notes } = this.#exchange;
    // Informational answers (RFC 9110 section 15.2) are between the destination and us.
    if (statusCode < 200) return;
    notes.destinationStatus = statusCode;
    const headers = responseHeaders((controller.rawHeaders ?? []) as readonly Buffer[]);
    headers.push('SVC-TRACE-ID', correlationId, 'SVC-PROXY-DESTINATION-STATUS', String(statusCode));
    response.sendDate = false;
    response.writeHead(statusCode, headers);
    response.on('drain', this.#resume);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#exchange.response.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.#release();
    this.#exchange.response.end();
    this.#resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#release();
    this.#reject(error);
  }

  readonly #abort = (): void => {
    this.#controller?.abort(new DOMException('The client went away.', 'AbortError'));
  };

  readonly #resume = (): void => {
    this.#controller?.resume();
  };

  #release(): void {
    this.#exchange.gone.removeEventListener('abort', this.#abort);
    this.#exchange.response.off('drain', this.#resume);
  }
}
