import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isObject } from '../api/json.ts';
import { type Kind, kinds } from '../files/kinds.ts';
import { CliError, isMissing, messageOf } from '../terminal/cli-error.ts';

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
      if (isMissing(error)) return new State(path, tenant, {});
      throw new CliError(`${path} cannot be read: ${messageOf(error)}`);
    }
    const tenants = parse(text);
    if (tenants === undefined)
      throw new CliError(`${path} is damaged: bring it back from version control, or remove it`);
    return new State(path, tenant, tenants);
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

function parse(text: string): Tenants | undefined {
  try {
    const content: unknown = JSON.parse(text);
    if (!isObject(content) || content['version'] !== 1) return undefined;
    return isTenants(content['tenants']) ? content['tenants'] : undefined;
  } catch {
    return undefined;
  }
}

function isTenants(value: unknown): value is Tenants {
  const isText = (id: unknown) => typeof id === 'string';
  return isMapOf(value, (own) => isMapOf(own, (ids) => isMapOf(ids, isText)));
}

function isMapOf(value: unknown, isRight: (member: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(isRight);
}
