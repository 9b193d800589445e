import { responseHeaders } from '@glovebox/egress/headers';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Dispatcher } from 'undici';

import type { ResponseGuard } from '../../guard/response-guard.ts';
import { type Exchange, type RawResponse, clientGoneSignal } from '../../http/exchange.ts';
import { type PassingResponse, passingResponse } from './passing-response.ts';

/**
 * Collects a destination's response if it is a success (contract/transforms.md#response-transforms), up to a limit. Any
 * other streams to the client as it arrives.
 */
export class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #guard: ResponseGuard | undefined;
  readonly #maxBytes: number;
  readonly #resolve: (response: RawResponse | 'streamed') => void;
  readonly #reject: (error: unknown) => void;
  readonly #gone: AbortSignal;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #head: Omit<RawResponse, 'body'> | undefined;
  #streamed: PassingResponse | undefined;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(
    exchange: Exchange,
    guard: ResponseGuard | undefined,
    maxBytes: number,
    resolve: (response: RawResponse | 'streamed') => void,
    reject: (error: unknown) => void,
  ) {
    this.#exchange = exchange;
    this.#guard = guard;
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#gone = clientGoneSignal(exchange.response);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#gone.aborted) this.#abort();
    else this.#gone.addEventListener('abort', this.#abort, { once: true });
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: unknown,
    statusMessage?: string,
  ): void {
    if (statusCode < 200) return;
    if (statusCode <= 299) {
      this.#exchange.logFields.destinationStatus = statusCode;
      const raw = responseHeaders((controller.rawHeaders ?? []) as readonly Buffer[]);
      this.#head = { status: statusCode, headers: raw };
      return;
    }
    this.#release();
    this.#streamed = passingResponse(this.#exchange, this.#guard, this.#resolve, this.#reject);
    this.#streamed.onRequestStart(controller);
    this.#streamed.onResponseStart(controller, statusCode, headers, statusMessage);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#streamed !== undefined) return this.#streamed.onResponseData(controller, chunk);
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) return controller.abort(tooLarge(this.#maxBytes));
    try {
      this.#exchange.held.grow(this.#exchange, this.#size - chunk.length, this.#size);
      this.#chunks.push(chunk);
    } catch (error) {
      controller.abort(error as Error);
    }
  }

  onResponseEnd(): void {
    this.#release();
    if (this.#streamed !== undefined) return this.#streamed.onResponseEnd();
    this.#exchange.stages.enter('own');
    if (this.#head !== undefined) this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#release();
    if (this.#streamed === undefined) this.#reject(error);
    else this.#streamed.onResponseError(controller, error);
  }

  readonly #abort = (): void => {
    this.#controller?.abort(new DOMException('The client went away.', 'AbortError'));
  };

  #release(): void {
    this.#gone.removeEventListener('abort', this.#abort);
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'bad_gateway',
    `The destination’s response is larger than the ${maxBytes} bytes that a response transform takes.`,
  );
}
