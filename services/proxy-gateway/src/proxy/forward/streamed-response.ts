import { type ServerResponse, STATUS_CODES } from 'node:http';

import { isHeaderValue, valueOf } from '@glovebox/egress/header-list';
import { responseHeaders } from '@glovebox/egress/headers';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Dispatcher } from 'undici';

import { destinationHeaders, ownHeaders } from '../../http/answer-headers.ts';
import { countPassedChunk } from '../../http/body/body-memory.ts';
import { type Exchange, isClientGone } from '../../http/exchange.ts';
import { notHttp } from './destination-error.ts';

const nothing = Buffer.alloc(0);
/** Head and body as one text are one system call; bytes of Latin-1 are what they were. */
export const maxTextBytes = 8 * 1024;

/**
 * Passes a destination's response on as it arrives: status, raw headers and body, with back-pressure both ways.
 * When the client goes away the destination's request is aborted.
 */
export class StreamedResponse implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #resolve: (response: 'streamed') => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  /** As the response announced it; NaN when it did not. */
  #contentLength = Number.NaN;
  #bodyBegan = false;

  constructor(exchange: Exchange, resolve: (response: 'streamed') => void, reject: (error: unknown) => void) {
    this.#exchange = exchange;
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
    const { response, logFields } = this.#exchange;
    // Informational answers (RFC 9110 section 15.2) are between the destination and us.
    if (statusCode < 200) return;
    logFields.destinationStatus = statusCode;
    const headers = responseHeaders((controller.rawHeaders ?? []) as readonly Buffer[]);
    this.#contentLength = Number(valueOf(headers, 'content-length') ?? Number.NaN);
    headers.push(...ownHeaders(this.#exchange, headers), ...destinationHeaders(this.#exchange, statusCode));
    response.sendDate = false;
    writeHead(response, statusCode, statusMessage, headers);
    process.nextTick(this.#sendHead);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response } = this.#exchange;
    countPassedChunk(chunk.length);
    this.#bodyBegan = true;
    if (chunk.length === this.#contentLength && chunk.length <= maxTextBytes) {
      response.end(chunk.toString('latin1'), 'latin1');
      return;
    }
    if (response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    const { response } = this.#exchange;
    if (!response.writableEnded) response.end();
    this.#resolve('streamed');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#exchange.response.off('close', this.#abortIfGone);
    this.#reject(error);
  }

  /** A body that does not come with its head may come late, or never: Node would hold back the head until then. */
  readonly #sendHead = (): void => {
    const { response } = this.#exchange;
    // Not flushHeaders(): that writes bytes above ASCII as UTF-8.
    if (!this.#bodyBegan && !response.writableEnded) response.write(nothing);
  };

  readonly #abortIfGone = (): void => {
    if (!isClientGone(this.#exchange.response)) return;
    this.#controller?.abort(new DOMException('The client went away.', 'AbortError'));
  };
}

/**
 * A reason phrase holds what a header's value may (RFC 9112 section 4); instead of another the status has its own.
 * @throws AppError `bad_gateway` for what Node cannot write.
 */
export function writeHead(response: ServerResponse, status: number, phrase: string, headers: string[]): void {
  try {
    response.writeHead(status, isHeaderValue(phrase) ? phrase : (STATUS_CODES[status] ?? ''), headers);
  } catch (cause) {
    throw new AppError(...notHttp, { cause });
  }
}
