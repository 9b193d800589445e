import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isObject } from '../api/json.ts';
import { type Kind, kinds } from '../files/kinds.ts';
import { CliError } from '../terminal/cli-error.ts';

/** Ids by tenant, kind and name. */
type Tenants = Record<string, Partial<Record<Kind, Record<string, string>>>>;

/**
 * Which resources of which tenant a folder has applied, by their ids. Only these are pruned. It has no secret, and belongs
 * into version control (docs/cli.md#what-is-marked).
 */
export class State {
  readonly #path: string;
  readonly #tenant: string;
  readonly #tenants: Tenants;

  private constructor(path: string, tenant: string, tenants: Tenants) {
    this.#path = path;
    this.#tenant = tenant;
    this.#tenants = tenants;
  }

  /** @throws CliError if the file is none */
  static read(folder: string, tenant: string): State {
    const path = join(folder, '.glovebox', 'state.json');
    let text;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new State(path, tenant, {});
      throw new CliError(`${path} cannot be read: ${(error as Error).message}`);
    }
    const tenants = parse(text);
    if (tenants === undefined)
      throw new CliError(`${path} is damaged: bring it back from version control, or remove it`);
    return new State(path, tenant, tenants as Tenants);
  }

  /** Ids by name. */
  marked(kind: Kind): ReadonlyMap<string, string> {
    return new Map(Object.entries(this.#tenants[this.#tenant]?.[kind] ?? {}));
  }

  /** Writes the file only if that is new. */
  mark(kind: Kind, name: string, id: string): void {
    const before = this.marked(kind);
    if (before.get(name) !== id) this.#save(kind, new Map([...before, [name, id]]));
  }

  unmark(kind: Kind, name: string): void {
    const left = new Map(this.marked(kind));
    if (left.delete(name)) this.#save(kind, left);
  }

  /** Replaces the file in one step, so that a killed process leaves a whole one. */
  #save(kind: Kind, marked: ReadonlyMap<string, string>): void {
    const own = {
      ...this.#tenants[this.#tenant],
      [kind]: Object.fromEntries([...marked].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    };
    this.#tenants[this.#tenant] = Object.fromEntries(
      kinds.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])),
    );
    mkdirSync(dirname(this.#path), { recursive: true });
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify({ version: 1, tenants: this.#tenants }, undefined, 2)}\n`);
    renameSync(draft, this.#path);
  }
}

function parse(text: string): object | undefined {
  try {
    const { version, tenants } = JSON.parse(text) as { version?: unknown; tenants?: unknown };
    if (version !== 1 || !isObject(tenants)) return undefined;
    const whole = Object.values(tenants).every(
      (own) =>
        isObject(own) &&
        Object.values(own).every(
          (ids) => isObject(ids) && Object.values(ids).every((id) => typeof id === 'string'),
        ),
    );
    return whole ? tenants : undefined;
  } catch {
    return undefined;
  }
}
