import { getGlobalDispatcher } from 'undici';

import { checkAnswer } from './check-answer.ts';
import type { System } from './system.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: Json;
}

/** JSON of an answer, to be looked into by tests. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it expects, and fails where it is not there
export type Json = any;

export interface Sent {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text or bytes. */
  readonly body?: unknown;
  /** What is sent is beyond the limits that the API is described with. */
  readonly beyondDefaults?: boolean;
}

/**
 * Sends one request to an address of a system and reads the whole answer, or how a stream of events begins. It must be as
 * the API is described, unless other limits hold there.
 */
export async function send(base: string, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const raw = typeof sent.body === 'string' || sent.body instanceof Uint8Array;
  const headers: Record<string, string> = { ...sent.headers };
  if (sent.key !== undefined) headers['SVC-API-KEY'] = sent.key;
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  if (sent.body !== undefined && !named) headers['Content-Type'] = 'application/json';
  // Not by URL: a URL would be normalised, and hostile paths never sent.
  const response = await getGlobalDispatcher().request({
    origin: base,
    path,
    method: method as 'GET',
    headers,
    body: sent.body === undefined ? null : raw ? (sent.body as string) : JSON.stringify(sent.body),
  });
  const isEndless = String(response.headers['content-type']).startsWith('text/event-stream');
  const text = isEndless ? await beginningOf(response.body) : await response.body.text();
  const answer = { status: response.statusCode, headers: response.headers, text };
  if (!sent.beyondDefaults) checkAnswer({ method, target: path, json: sentJson(sent.body) }, answer);
  return { ...answer, json: parse(text) };
}

/** What arrives first of what need not end. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  for await (const chunk of body) return chunk.toString();
  return '';
}

function sentJson(body: unknown): unknown {
  if (body instanceof Uint8Array) return undefined;
  return typeof body === 'string' ? parse(body) : body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The calls that most stories begin with, through the public edge. */
export function apiOf({ dev }: System) {
  const base = dev.base_url;
  return {
    base,
    send: (method: string, path: string, sent?: Sent) => send(base, method, path, sent),
    manage: (method: string, path: string, body?: unknown) =>
      send(base, method, path, { key: dev.management_api_key, ...(body === undefined ? {} : { body }) }),
    async token(body: object): Promise<string> {
      return expectStatus(201, await send(base, 'POST', '/tokens', { key: dev.private_api_key, body })).json
        .id;
    },
    /** A new proxy; gives it as the API does. */
    async proxy(destinationUrl: string, more: object = {}): Promise<Json> {
      const body = { name: 'story', destination_url: destinationUrl, ...more };
      return expectStatus(201, await send(base, 'POST', '/proxies', { key: dev.management_api_key, body }))
        .json;
    },
    async application(body: object): Promise<Json> {
      return expectStatus(
        201,
        await send(base, 'POST', '/applications', { key: dev.management_api_key, body }),
      ).json;
    },
    /** Invokes a proxy with the private application's key unless another is given. */
    invoke: (proxyKey: string, method: string, path: string, sent: Sent = {}) =>
      send(base, method, `/proxy${path}`, {
        key: dev.private_api_key,
        ...sent,
        headers: { 'SVC-PROXY-KEY': proxyKey, ...sent.headers },
      }),
  };
}

function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}
