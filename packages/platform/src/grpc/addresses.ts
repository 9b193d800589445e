import { lookup as lookUp } from 'node:dns/promises';
import { isIP } from 'node:net';

/** All IP addresses of a host's name at the moment. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export interface AddressesOptions {
  /** `host:port`. A host that is an address itself stays as it is, as does a target such as `unix:/run/x.sock`. */
  readonly address: string;
  readonly lookup?: Lookup;
  /** Time between two lookups. Default 2 seconds. */
  readonly refreshMs?: number;
  /** Called with all addresses, as `ip:port`, when they are first known and at each change; never with none. */
  onChange(addresses: readonly string[]): void;
}

const byName: Lookup = async (host) =>
  (await lookUp(host, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** Connections break for many callers at once, so lookups on demand are limited. */
const soonMs = 100;

/**
 * Follows the addresses of a name, such as that of a headless Service, which has one for each ready pod. If a lookup
 * fails or finds none, the last known ones stay.
 */
export class FollowedAddresses {
  /** Resolves once there are any. */
  readonly known: Promise<void>;
  readonly #options: AddressesOptions;
  readonly #host: string | undefined;
  readonly #port: string;
  readonly #onKnown: () => void;
  #addresses = '';
  #regularly: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #looking = false;
  #closed = false;

  /** May call `onChange` before it returns. */
  constructor(options: AddressesOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.known = promise;
    this.#onKnown = resolve;
    this.#options = options;
    const [, host, port] = /^(\[[^\]]*\]|[^:]+):(\d+)$/.exec(options.address) ?? [];
    this.#port = port ?? '';
    this.#host = host === undefined || isIP(host.replaceAll(/[[\]]/g, '')) > 0 ? undefined : host;
    if (this.#host === undefined) this.#take([options.address]);
    else {
      this.#regularly = setInterval(() => void this.#look(), options.refreshMs ?? 2_000).unref();
      void this.#look();
    }
  }

  /** Looks the name up soon, since an address seems to be out of date. */
  suspect(): void {
    if (this.#host === undefined || this.#closed) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.#look();
    }, soonMs).unref();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#regularly);
    clearTimeout(this.#soon);
  }

  async #look(): Promise<void> {
    const { lookup = byName } = this.#options;
    if (this.#looking || this.#host === undefined) return;
    this.#looking = true;
    try {
      const found = await lookup(this.#host);
      const addresses = found.map((ip) => (isIP(ip) === 6 ? `[${ip}]:${this.#port}` : `${ip}:${this.#port}`));
      this.#take([...new Set(addresses)].toSorted());
    } catch {
      // The connections show how the service is; a name server that is away must not end them.
    } finally {
      this.#looking = false;
    }
  }

  #take(addresses: readonly string[]): void {
    const joined = addresses.join();
    if (this.#closed || addresses.length === 0 || joined === this.#addresses) return;
    this.#addresses = joined;
    this.#options.onChange(addresses);
    this.#onKnown();
  }
}
