import { Dispatcher, errors } from 'undici';

import { BodyParts } from './body-parts.ts';
import { DispatchedRequest, type RequestOwner, type RequestTimeouts } from './dispatched-request.ts';
import { OpenRequests } from './open-requests.ts';
import { OriginPool, type PoolSettings } from './origin-pool.ts';
import { outgoingRequest } from './outgoing-request.ts';
import { Sweep } from './sweep.ts';
import { WriteTurns } from './write-turns.ts';

export type Http1Settings = Omit<PoolSettings, 'turns' | 'sweep'> & RequestTimeouts;

/**
 * A client of HTTP/1.1 behind undici's interface (ADR 74): `dispatch`, and `request` on top of it. Each request is
 * written once and never repeated. CONNECT, upgrades and `query` are refused; `responseHeaders: 'raw'` leaves out the
 * object of headers, for handlers that read `controller.rawHeaders`.
 */
export class Http1Dispatcher extends Dispatcher implements RequestOwner {
  readonly #settings: Http1Settings & PoolSettings;
  /** By origin, as long as they have connections or requests. */
  readonly #pools = new Map<string, OriginPool>();
  readonly #open = new OpenRequests();
  #closedBy: Error | undefined;
  #onceEmpty: () => void = () => undefined;

  constructor(settings: Http1Settings) {
    super();
    this.#settings = { ...settings, turns: new WriteTurns(), sweep: new Sweep() };
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    try {
      this.#send(options, handler);
    } catch (error) {
      // There is no controller yet, as with undici.
      handler.onResponseError?.(null as never, error as Error);
    }
    return true;
  }

  #send(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#closedBy !== undefined) throw this.#closedBy;
    const origin = String(options.origin);
    const host = this.#pools.get(origin)?.host ?? urlOf(origin).host;
    const outgoing = outgoingRequest(host, options);
    const { headersMs, bodyMs } = this.#settings;
    const timeouts = {
      headersMs: options.headersTimeout ?? headersMs,
      bodyMs: options.bodyTimeout ?? bodyMs,
    };
    const request = new DispatchedRequest(outgoing, options, handler, timeouts, this);
    this.#open.add(request);
    request.begin();
    if (request.isOver) return;
    const { body } = outgoing;
    if (body === undefined || Buffer.isBuffer(body)) this.#poolOf(origin).add(request);
    else void this.#sendInParts(origin, request, body);
  }

  async #sendInParts(
    origin: string,
    request: DispatchedRequest,
    body: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    try {
      const parts = await BodyParts.begin(body);
      if (request.isOver) return parts?.leave();
      if (parts === undefined && (request.outgoing.length ?? 0) > 0) {
        throw new errors.RequestContentLengthMismatchError();
      }
      request.parts = parts;
      this.#poolOf(origin).add(request);
    } catch (error) {
      request.fail(error instanceof Error ? error : new Error('a body failed', { cause: error }));
    }
  }

  #poolOf(origin: string): OriginPool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const pool = new OriginPool(urlOf(origin), this.#settings, () => this.#pools.delete(origin));
    this.#pools.set(origin, pool);
    return pool;
  }

  ended(request: DispatchedRequest): void {
    this.#open.delete(request);
    if (this.#open.size === 0) this.#onceEmpty();
  }

  /** Takes no further requests, and ends once those that run have ended. */
  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | void {
    this.#closedBy ??= new errors.ClientClosedError();
    const closed = this.#untilEmpty().then(() => this.#destroyPools());
    if (callback === undefined) return closed;
    void closed.then(callback);
  }

  #untilEmpty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onceEmpty = chained(this.#onceEmpty, resolve);
      if (this.#open.size === 0) this.#onceEmpty();
    });
  }

  /** Ends every request with the error, and every connection. */
  override destroy(error?: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> | void {
    const callback = typeof first === 'function' ? first : second;
    const error = first instanceof Error ? first : new errors.ClientDestroyedError();
    this.#closedBy = error;
    for (const request of this.#open.all()) request.fail(error);
    this.#destroyPools();
    if (callback === undefined) return Promise.resolve();
    queueMicrotask(callback);
  }

  #destroyPools(): void {
    for (const pool of this.#pools.values()) pool.destroy();
  }
}

function chained(first: () => void, second: () => void): () => void {
  return () => {
    first();
    second();
  };
}

function urlOf(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new errors.InvalidArgumentError('invalid origin');
  }
  return url;
}
