import { GloveboxApiError } from '../api-error.ts';
import { Arrivals } from '../arrivals.ts';
import type { CallOptions, Send, SendRaw } from '../client.ts';
import { everything, pageOf } from '../conversion.ts';
import { EventParser } from '../event-parser.ts';
import type {
  AsyncInvocation,
  InvocationFigures,
  InvocationFilter,
  InvocationOutline,
  OutlineQuery,
} from '../models/invocation.ts';
import type { CursorQuery, Page } from '../models/page.ts';
import { path } from '../path.ts';
import { queryOf } from '../query.ts';

export interface FollowOptions extends Pick<CallOptions, 'apiKey'> {
  /** Ends the following. */
  readonly signal?: AbortSignal | undefined;
}

/** After so many connections in a row that could not be made, following rejects. */
const maxFailures = 5;
const pauseMs = 1000;

/** What proxies and reactors did. */
export class Invocations {
  readonly #send: Send;
  readonly #sendRaw: SendRaw;

  constructor(send: Send, sendRaw: SendRaw) {
    this.#send = send;
    this.#sendRaw = sendRaw;
  }

  async list(query?: OutlineQuery, options?: CallOptions): Promise<Page<InvocationOutline>> {
    return this.#send({ method: 'GET', path: '/invocations', query, received: pageOf(everything) }, options);
  }

  /** The latest asynchronous invocations, from their acceptance on. */
  async listAsynchronous(query?: CursorQuery, options?: CallOptions): Promise<Page<AsyncInvocation>> {
    const listed = { path: '/invocations/asynchronous', query, received: pageOf(everything) };
    return this.#send({ method: 'GET', ...listed }, options);
  }

  /** How often each proxy and reactor was invoked in the last hour. */
  async figures(options?: CallOptions): Promise<InvocationFigures> {
    return this.#send({ method: 'GET', path: '/invocations/figures' }, options);
  }

  async retrieve(id: string, options?: CallOptions): Promise<InvocationOutline> {
    return this.#send({ method: 'GET', path: path`/invocations/${id}` }, options);
  }

  /**
   * Invocations from now on, each as it ends, until the signal aborts or the loop is left. A connection that ends is
   * made again, and what ended meanwhile comes then.
   *
   * @example
   * for await (const { subject, outcome } of glovebox.invocations.follow({ outcome: 'failed' })) …
   */
  async *follow(
    filter: InvocationFilter = {},
    { signal, ...options }: FollowOptions = {},
  ): AsyncGenerator<InvocationOutline, void> {
    const parser = new EventParser();
    const isOver = () => signal?.aborted === true;
    for (let failures = 0; !isOver();) {
      try {
        for await (const text of this.#stream(filter, parser.lastId, options, signal)) {
          failures = 0;
          for (const { type, data } of parser.read(text)) {
            if (type === 'invocation') yield everything.fromWire(JSON.parse(data)) as InvocationOutline;
          }
        }
      } catch (error) {
        failures += 1;
        if (isFinal(error) || failures > maxFailures) throw error;
      }
      parser.reset();
      if (!isOver()) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async *#stream(
    filter: InvocationFilter,
    lastId: string | undefined,
    options: CallOptions,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<string> {
    const arrivals = new Arrivals();
    const left = new AbortController();
    const leave = () => left.abort();
    signal?.addEventListener('abort', leave);
    const headers = { Accept: 'text/event-stream', ...(lastId !== undefined && { 'Last-Event-ID': lastId }) };
    const request = { method: 'GET', path: '/invocations/stream', query: queryOf(filter), headers };
    const onText = (text: string) => arrivals.push(text);
    this.#sendRaw({ ...request, onText, signal: left.signal }, options).then(
      ({ body }) => arrivals.end(body),
      (error: unknown) => (left.signal.aborted ? arrivals.end('') : arrivals.fail(error)),
    );
    try {
      yield* arrivals;
    } finally {
      signal?.removeEventListener('abort', leave);
      leave();
    }
  }
}

/** It would be the same the next time. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof GloveboxApiError)) return true;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
