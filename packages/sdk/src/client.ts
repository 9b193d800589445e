import { GloveboxApiError } from './api-error.ts';
import { type Conversion, everything, unconverted } from './conversion.ts';
import { idempotencyHeader, ifMatchHeader } from './headers.ts';
import { occurrenceOf } from './occurrence.ts';
import { queryOf } from './query.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { type OnWarning, tellWarnings } from './warnings.ts';

/** Options of a single call. */
export interface CallOptions {
  /** Replaces the instance's API key for this call. */
  readonly apiKey?: string | undefined;
  /** Appears in the service's logs. Default: a new id. */
  readonly correlationId?: string | undefined;
  /** Creates and updates with the same key are done once, so they can be retried. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Of a write to a proxy, reactor or formula: the version that it may replace, or `*` for any. If there is another one,
   * the call rejects with 412.
   */
  readonly ifMatch?: number | '*' | undefined;
  /** Of such a write: why it is made; at most 500 characters. */
  readonly comment?: string | undefined;
  /**
   * Of an invocation of a proxy or a reactor: everything is decided and nothing done. The call resolves to a `DryRun`, which is
   * not converted.
   */
  readonly dryRun?: boolean | undefined;
}

/** Of an invocation that is only tried. */
export type DryRunOptions = CallOptions & { readonly dryRun: true };

/** One operation of the API. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: object | undefined;
  /** Absent: no body. */
  readonly body?: unknown;
  /** Converts the request body. Default: all keys to snake_case. */
  readonly sent?: Conversion;
  /** Converts the response body. Default: all keys to camelCase. */
  readonly received?: Conversion;
}

/** How services make their calls. Responses are trusted to match the API description. */
export type Send = <Result>(call: Call, options?: CallOptions) => Promise<Result>;
export type SendRaw = (call: TransportRequest, options: CallOptions) => Promise<TransportResponse>;

/** Makes the calls of all services: headers, case conversion, errors. */
export class Client {
  readonly #apiKey: string | undefined;
  readonly #transport: Transport;
  readonly #onWarning: OnWarning | undefined;

  constructor(apiKey: string | undefined, transport: Transport, onWarning?: OnWarning) {
    this.#apiKey = apiKey;
    this.#transport = transport;
    this.#onWarning = onWarning;
  }

  /** Resolves to the converted body, or `{}` without a body. @throws GloveboxApiError */
  async send({ sent, received, ...call }: Call, options: CallOptions = {}): Promise<unknown> {
    const body = call.body === undefined ? undefined : (sent ?? everything).toWire(call.body);
    const { fromWire } = received ?? everything;
    const response = await this.#call(
      {
        method: call.method,
        path: call.path,
        query: queryOf(call.query),
        headers: body === undefined ? {} : { 'Content-Type': contentType(call.method) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      options,
      received === unconverted ? unconverted : everything,
    );
    const answer = parse(response.body === '' ? '{}' : response.body);
    if (answer === undefined) {
      throw new GloveboxApiError('The answer is not JSON.', response.status, response.body);
    }
    return fromWire(answer.value);
  }

  /** Resolves to the unchanged response. @throws GloveboxApiError for any status but 2xx */
  sendRaw(call: TransportRequest, options: CallOptions): Promise<TransportResponse> {
    return this.#call(call, options, unconverted);
  }

  async #call(
    call: TransportRequest,
    options: CallOptions,
    problems: Conversion,
  ): Promise<TransportResponse> {
    const headers = { ...this.#ownHeaders(options), ...call.headers };
    const response = await this.#answerTo({ ...call, headers });
    if (this.#onWarning !== undefined) tellWarnings(call, response, this.#onWarning);
    if (response.status >= 200 && response.status <= 299) return response;
    const problem = parse(response.body);
    throw new GloveboxApiError(
      `Request failed with status code ${response.status}`,
      response.status,
      problem === undefined ? response.body || undefined : problems.fromWire(problem.value),
      occurrenceOf(response, problem?.value),
    );
  }

  async #answerTo(request: TransportRequest): Promise<TransportResponse> {
    try {
      return await this.#transport(request);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new GloveboxApiError(`Request failed without an answer: ${reason}`, -1, undefined, { cause });
    }
  }

  #ownHeaders(options: CallOptions): Record<string, string> {
    const { apiKey = this.#apiKey, correlationId, idempotencyKey, ifMatch, comment, dryRun } = options;
    return {
      Accept: 'application/json, text/plain, */*',
      ...(apiKey === undefined ? {} : { 'SVC-API-KEY': apiKey }),
      ...(correlationId === undefined ? {} : { 'SVC-TRACE-ID': correlationId }),
      ...(idempotencyKey === undefined ? {} : { [idempotencyHeader]: idempotencyKey }),
      ...(ifMatch === undefined ? {} : { [ifMatchHeader]: ifMatch === '*' ? ifMatch : `"${ifMatch}"` }),
      ...(dryRun === undefined ? {} : { 'SVC-Dry-Run': String(dryRun) }),
      ...(comment === undefined ? {} : { 'SVC-Comment': asBytes(comment) }),
    };
  }
}

/** Headers hold bytes: one character for each byte of UTF-8. */
function asBytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** Partial updates are merge patches (RFC 7386). */
function contentType(method: Call['method']): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

/** Undefined for invalid JSON. */
export function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
