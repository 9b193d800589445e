import type { Body } from './api.ts';

export interface Page {
  readonly status: number;
  /** Where it ended, after redirects. */
  readonly url: string;
  readonly body: Body;
  /** The same as it arrived; of requests that a page sends. */
  readonly text?: string;
  readonly headers?: Headers;
}

export interface BrowserRequest {
  readonly body?: unknown;
  /** Of the page that sends it; default: the tenant of `tenant`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser as far as a sign-in needs one: it keeps cookies for each host and follows redirects. */
export class Browser {
  readonly #consoleOrigin: string;
  readonly #base: string;
  readonly #jars = new Map<string, Map<string, string>>();
  /** The tenant that its page of the console shows. */
  tenant = 'none';

  /** @param consoleUrl as the service believes it @param base where the service really is */
  constructor(consoleUrl: string, base: string) {
    this.#consoleOrigin = new URL(consoleUrl).origin;
    this.#base = base;
  }

  /** The person follows a link, and then redirects. @param until stops before an address that has this in it */
  async visit(path: string, until?: string): Promise<Page> {
    let url = new URL(path, this.#base).href;
    for (let redirects = 0; redirects < 10; redirects += 1) {
      if (until !== undefined && url.includes(until)) return { status: 0, url, body: {} as Body };
      const response = await this.#fetch(url, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
      const location = response.headers.get('location');
      await response.arrayBuffer();
      if (location === null) return { status: response.status, url, body: {} as Body };
      url = this.#real(new URL(location, url));
      if (new URL(url).pathname === '/console') return { status: response.status, url, body: {} as Body };
    }
    throw new Error(`too many redirects, at ${url}`);
  }

  /** A page of the console sends a request. */
  async send(request: string, { body, headers }: BrowserRequest = {}): Promise<Page> {
    const [method = '', path = ''] = request.split(' ');
    const response = await this.#fetch(this.#base + path, {
      method,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        'X-Glovebox-Console': this.tenant,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const shown = text === '' ? {} : (JSON.parse(text) as unknown);
    return {
      status: response.status,
      url: this.#base + path,
      body: shown as Body,
      text,
      headers: response.headers,
    };
  }

  cookie(name: string): string | undefined {
    return this.#jarOf(this.#base).get(name);
  }

  setCookie(name: string, value: string): void {
    this.#jarOf(this.#base).set(name, value);
  }

  #real(url: URL): string {
    return url.origin === this.#consoleOrigin ? this.#base + url.pathname + url.search : url.href;
  }

  #jarOf(url: string): Map<string, string> {
    const { host } = new URL(url);
    let jar = this.#jars.get(host);
    if (jar === undefined) this.#jars.set(host, (jar = new Map()));
    return jar;
  }

  async #fetch(url: string, options: RequestInit): Promise<Response> {
    const jar = this.#jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...options,
      redirect: 'manual',
      headers: {
        ...(options.headers as Record<string, string>),
        ...(cookie === '' ? {} : { Cookie: cookie }),
      },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0|expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}
