import { readFileSync, writeFileSync } from 'node:fs';

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

  /** Whether these processes have looked a name up since it has the addresses that it has. */
  areKnownTo(pids: readonly number[], name: string): boolean {
    const addresses = JSON.stringify(this.#addresses[name]);
    return pids.every((pid) => {
      try {
        return readFileSync(`${this.#file}.${name}.${pid}`, 'utf8') === addresses;
      } catch {
        return false;
      }
    });
  }

  /** For the environment of a process that shall know the names. */
  get nodeOptions(): string {
    const lookup = `
      import dns from 'node:dns/promises';
      import { readFileSync, writeFileSync } from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const real = dns.lookup;
      dns.lookup = async (host, options) => {
        const file = ${JSON.stringify(this.#file)};
        const addresses = JSON.parse(readFileSync(file, 'utf8'))[host];
        if (addresses === undefined) return real(host, options);
        writeFileSync(\`\${file}.\${host}.\${process.pid}\`, JSON.stringify(addresses));
        return addresses.map((address) => ({ address, family: 4 }));
      };
      syncBuiltinESMExports();`;
    return `--import=data:text/javascript,${encodeURIComponent(lookup)}`;
  }
}
