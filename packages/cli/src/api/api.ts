import { setTimeout as sleep } from 'node:timers/promises';

import { CliError, messageOf } from '../terminal/cli-error.ts';
import { ApiError } from './api-error.ts';
import { type JsonObject, isObject, plainText } from './json.ts';

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Makes the request safe to repeat. */
  readonly idempotencyKey?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the body is no JSON. */
  readonly json: unknown;
}

const timeoutMs = 90_000;
const attempts = 4;
/** How long a request waits for one with the same idempotency key. */
const beingDoneMs = 60_000;
const passing = new Set([408, 429, 502, 503, 504]);

/** Sends requests with one API key. */
export class Api {
  readonly url: string;
  readonly #key: string;

  /** @param url without a trailing slash */
  constructor(url: string, key: string) {
    this.url = url;
    this.#key = key;
  }

  /**
   * One request. Reads, and writes with an idempotency key, are repeated after a passing failure.
   * @throws ApiError for any status but 2xx
   */
  async send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const repeats = method === 'GET' || sent.idempotencyKey !== undefined ? attempts : 1;
    const patientUntil = performance.now() + beingDoneMs;
    for (let attempt = 1; ;) {
      const answer = await this.exchange(method, path, sent).catch((error: unknown) => {
        if (attempt >= repeats) throw error;
        return undefined;
      });
      if (answer !== undefined && answer.status >= 200 && answer.status <= 299) return answer;
      // Another run has begun the same: its outcome is this one's.
      const isBegun = answer !== undefined && isBeingDone(answer) && performance.now() < patientUntil;
      const again = isBegun || answer === undefined || passing.has(answer.status);
      if (answer !== undefined && (!again || (!isBegun && attempt >= repeats)))
        throw new ApiError(answer.status, answer.json);
      await sleep(waitMs(answer, attempt));
      if (!isBegun) attempt += 1;
    }
  }

  /** One request, never repeated. @throws ApiError for any status but 2xx */
  async sendOnce(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const answer = await this.exchange(method, path, sent);
    if (answer.status > 299) throw new ApiError(answer.status, answer.json);
    return answer;
  }

  /** One request as it is, whatever the answer. @throws CliError if there is none */
  async exchange(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(sent.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const body = typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body);
    try {
      const response = await fetch(url, {
        method,
        // A redirect would send the key elsewhere.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          'SVC-API-KEY': this.#key,
          'User-Agent': 'glovebox-cli',
          ...(sent.body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(sent.idempotencyKey === undefined ? {} : { 'SVC-IDEMPOTENCY-KEY': sent.idempotencyKey }),
          ...sent.headers,
        },
        ...(sent.body === undefined ? {} : { body }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: parse(text) };
    } catch (error) {
      throw new CliError(`${this.url} gave no answer: ${reasonOf(error)}`);
    }
  }

  /** The object that a `GET` answers. @throws ApiError */
  async read(path: string, query: Sent['query'] = {}): Promise<JsonObject> {
    const { json } = await this.send('GET', path, { query });
    if (!isObject(json)) throw new CliError(`${this.url}${path} did not answer an object: is it Glovebox?`);
    return json;
  }
}

/** A request with the same idempotency key is under way. */
function isBeingDone({ status, json }: Answer): boolean {
  return status === 409 && isObject(json) && /is being processed/.test(plainText(json['detail']));
}

function waitMs(answer: Answer | undefined, attempt: number): number {
  const seconds = Number(answer?.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(seconds, 30) * 1000 : 200 * 2 ** attempt;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
