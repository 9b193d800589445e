import { type CallOptions, type SendRaw, parse } from '../client.ts';
import type { DryRun } from '../models/dry-run.ts';
import { proxyPath } from '../path.ts';
import { queryOf } from '../query.ts';
import type { TransportResponse } from '../transport.ts';

/** A request through a proxy. It is not converted. */
export interface ProxyRequest extends CallOptions {
  /** The path after `/proxy`, with or without a leading slash. */
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** `SVC-PROXY-KEY` names the proxy; other headers are sent to the destination. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Text is sent unchanged, by default as a form; anything else as JSON. */
  readonly body?: unknown;
  readonly includeResponseHeaders?: boolean | undefined;
}

/** The destination's response. */
export interface ProxyResponse<Body = unknown> {
  readonly data: Body;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

type WithHeaders = ProxyRequest & { readonly includeResponseHeaders: true };
/** Its answer is what would happen. */
type TriedRequest = ProxyRequest & {
  readonly dryRun: true;
  readonly includeResponseHeaders?: false | undefined;
};
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Sends requests through a proxy. Each resolves to the destination's body, parsed if it is JSON, else as text, and
 * rejects with GloveboxApiError unless the service and the destination answer 2xx.
 */
export class ProxyService {
  readonly #send: SendRaw;

  constructor(send: SendRaw) {
    this.#send = send;
  }

  get(request: TriedRequest): Promise<DryRun>;
  get<Body = unknown>(request: WithHeaders): Promise<ProxyResponse<Body>>;
  get<Body = unknown>(request?: ProxyRequest): Promise<Body>;
  get(request: ProxyRequest = {}): Promise<unknown> {
    return this.#request('GET', '/proxy/', request);
  }

  post(request: TriedRequest): Promise<DryRun>;
  post<Body = unknown>(request: WithHeaders): Promise<ProxyResponse<Body>>;
  post<Body = unknown>(request?: ProxyRequest): Promise<Body>;
  post(request: ProxyRequest = {}): Promise<unknown> {
    return this.#request('POST', '/proxy', request);
  }

  put(request: TriedRequest): Promise<DryRun>;
  put<Body = unknown>(request: WithHeaders): Promise<ProxyResponse<Body>>;
  put<Body = unknown>(request?: ProxyRequest): Promise<Body>;
  put(request: ProxyRequest = {}): Promise<unknown> {
    return this.#request('PUT', '/proxy', request);
  }

  patch(request: TriedRequest): Promise<DryRun>;
  patch<Body = unknown>(request: WithHeaders): Promise<ProxyResponse<Body>>;
  patch<Body = unknown>(request?: ProxyRequest): Promise<Body>;
  patch(request: ProxyRequest = {}): Promise<unknown> {
    return this.#request('PATCH', '/proxy', request);
  }

  delete(request: TriedRequest): Promise<DryRun>;
  delete<Body = unknown>(request: WithHeaders): Promise<ProxyResponse<Body>>;
  delete<Body = unknown>(request?: ProxyRequest): Promise<Body>;
  delete(request: ProxyRequest = {}): Promise<unknown> {
    return this.#request('DELETE', '/proxy/', request);
  }

  async #request(method: Method, bare: string, request: ProxyRequest): Promise<unknown> {
    const { path, query, headers = {}, body, includeResponseHeaders, ...options } = request;
    const call = { method, path: proxyPath(path, bare), query: queryOf(query, (key) => key) };
    const response = await this.#send({ ...call, ...encode(body, headers) }, options);
    const data = bodyOf(response);
    return includeResponseHeaders === true ? { data, headers: response.headers } : data;
  }
}

function encode(body: unknown, headers: Readonly<Record<string, string>>) {
  if (body === undefined) return { headers };
  const isText = typeof body === 'string';
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type = isText ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    headers: isNamed ? headers : { ...headers, 'Content-Type': type },
    body: isText ? body : JSON.stringify(body),
  };
}

function bodyOf({ body }: TransportResponse): unknown {
  const json = parse(body);
  return json === undefined ? body : json.value;
}
