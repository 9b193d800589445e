import { writeFileSync } from 'node:fs';

/** Names that some processes look up, in place of a cluster's name server. What they stand for can be changed at any time. */
export class NamedAddresses {
  readonly #file: string;
  readonly #addresses: Record<string, readonly string[]> = {};

  /** @param file to be read by those processes */
  constructor(file: string) {
    this.#file = file;
  }

  /** Says which addresses a name has from now on. */
  set(name: string, addresses: readonly string[]): void {
    this.#addresses[name] = addresses;
    writeFileSync(this.#file, JSON.stringify(this.#addresses));
  }

  /** For the environment of a process that shall know the names. */
  get nodeOptions(): string {
    const lookup = `
      import dns from 'node:dns/promises';
      import { readFileSync } from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const real = dns.lookup;
      dns.lookup = async (host, options) => {
        const addresses = JSON.parse(readFileSync(${JSON.stringify(this.#file)}, 'utf8'))[host];
        return addresses?.map((address) => ({ address, family: 4 })) ?? real(host, options);
      };
      syncBuiltinESMExports();`;
    return `--import=data:text/javascript,${encodeURIComponent(lookup)}`;
  }
}
