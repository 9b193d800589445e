import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of several addresses each, as a cluster's name server has them, for processes that are started with `nodeOptions`. */
export class Names {
  readonly #folder: string;
  readonly #addresses: Record<string, readonly string[]> = {};

  constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    for (const name of names) this.#addresses[name] = [];
    this.#write();
    writeFileSync(join(folder, 'names.mjs'), preload);
  }

  /** For the environment of a process. */
  get nodeOptions(): string {
    return `--import=file://${join(this.#folder, 'names.mjs')}`;
  }

  /** Says which addresses a name has from now on. */
  set(name: string, addresses: readonly string[]): void {
    this.#addresses[name] = addresses;
    this.#write();
  }

  /** Whether these processes have learned what the name has now. */
  areKnownTo(name: string, pids: readonly number[]): boolean {
    const known = JSON.stringify(this.#addresses[name]);
    const seen = new Set(readdirSync(this.#folder));
    return pids.every((pid) => {
      const note = `${name}-${pid}`;
      return seen.has(note) && readFileSync(join(this.#folder, note), 'utf8') === known;
    });
  }

  #write(): void {
    writeFileSync(join(this.#folder, 'names.json'), JSON.stringify(this.#addresses));
  }
}

const preload = `
import dns from 'node:dns/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const here = (name) => new URL(name, import.meta.url);
const real = dns.lookup;
dns.lookup = async (host, options) => {
  const addresses = JSON.parse(readFileSync(here('names.json'), 'utf8'))[host];
  if (addresses === undefined) return real(host, options);
  writeFileSync(here(host + '-' + process.pid), JSON.stringify(addresses));
  return addresses.map((address) => ({ address, family: 4 }));
};
syncBuiltinESMExports();
`;
