import { type Upstream, routeOf } from '@glovebox/local/route-table';

import type { Json } from '../api.ts';

export interface Sent {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly json: Json;
}

export type Call = (method: string, path: string, sent?: Sent) => Promise<Answered>;

interface Server {
  readonly upstream: Upstream;
  readonly url: string;
  open: number;
  answers: number;
  idle: (() => void) | undefined;
}

/** Gives each request to the next of the servers that serve its path. What it gets it gives back: nothing is sent again. */
export class Edge {
  readonly #servers: Server[] = [];
  readonly #gone: Server[] = [];
  #turn = 0;

  add(upstream: Upstream, url: string): void {
    this.#servers.push({ upstream, url, open: 0, answers: 0, idle: undefined });
  }

  /** It gets no more requests. Resolves when the last one that it had is answered. */
  async remove(upstream: Upstream, url: string): Promise<void> {
    const at = this.#servers.findIndex((server) => server.upstream === upstream && server.url === url);
    const [server] = this.#servers.splice(at, 1);
    if (server === undefined) return;
    this.#gone.push(server);
    if (server.open > 0) await new Promise<void>((resolve) => (server.idle = resolve));
  }

  answersOf(url: string): number {
    return [...this.#servers, ...this.#gone].find((server) => server.url === url)?.answers ?? 0;
  }

  readonly call: Call = async (method, path, { key, headers, body } = {}) => {
    const { upstream } = routeOf(path);
    const serving = this.#servers.filter((server) => server.upstream === upstream);
    const server = serving[(this.#turn += 1) % serving.length];
    if (server === undefined) throw new Error(`there is no ${upstream}`);
    server.open += 1;
    try {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { 'SVC-API-KEY': key }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      server.answers += 1;
      return { status: response.status, text, json: parse(text) };
    } finally {
      server.open -= 1;
      if (server.open === 0) server.idle?.();
    }
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
