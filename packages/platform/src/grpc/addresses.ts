import { lookup as lookUp } from 'node:dns/promises';
import { isIP } from 'node:net';

/** All addresses (IP) that a host's name has at the moment. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export interface AddressesOptions {
  /** `host:port`. A host that is an address itself stays as it is, as does a target such as `unix:/run/x.sock`. */
  readonly address: string;
  readonly lookup?: Lookup;
  /** How often the name is looked up. Default 2 seconds. */
  readonly refreshMs?: number;
  /** Is told of all addresses, as `ip:port`, when they are known first and at each change; never of none. */
  onChange(addresses: readonly string[]): void;
}

const byName: Lookup = async (host) =>
  (await lookUp(host, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** Whatever breaks, breaks for many at once. */
const soonMs = 100;

/**
 * Follows the addresses of a name, such as that of a headless Service, which has one for each pod that is ready. While it cannot be
 * looked up, or has none, those that were known last stand.
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

  /** Looks the name up soon, since an address seems not to hold any more. */
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
      // Its connections tell how the service is; a name server that is away must not end them.
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
