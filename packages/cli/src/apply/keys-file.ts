import { readFileSync, renameSync, writeFileSync } from 'node:fs';

import type { Api } from '../api/api.ts';
import { type JsonObject, isObject } from '../api/json.ts';
import { CliError, isMissing, messageOf } from '../terminal/cli-error.ts';

/** A file of the user, mode 0600, for what the service shows once: `{applications: {name: key}, webhooks: {name: secret}}`. */
export class KeysFile {
  readonly #path: string;
  readonly #content: JsonObject;

  /** @throws CliError if there is a file of another kind, before anything is created */
  constructor(path: string) {
    this.#path = path;
    this.#content = read(path);
    this.#save();
  }

  add(kind: 'applications' | 'webhooks', name: string, secret: string): void {
    const known = this.#content[kind];
    this.#content[kind] = { ...(isObject(known) ? known : {}), [name]: secret };
    this.#save();
  }

  #save(): void {
    const draft = `${this.#path}.${process.pid}`;
    try {
      writeFileSync(draft, `${JSON.stringify(this.#content, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(draft, this.#path);
    } catch (error) {
      throw new CliError(`${this.#path} cannot be written: ${messageOf(error)}`);
    }
  }
}

/** Gives a first key to applications that have none. @param applications ids by name */
export async function makeMissingKeys(
  api: Api,
  applications: ReadonlyMap<string, string>,
  file: KeysFile,
): Promise<string[]> {
  const made: string[] = [];
  for (const [name, id] of applications) {
    const path = `/applications/${encodeURIComponent(id)}/keys`;
    const { json: keys } = await api.send('GET', path);
    if (Array.isArray(keys) && keys.length > 0) continue;
    const { json } = await api.send('POST', path, { idempotencyKey: `glovebox first key ${id}` });
    if (!isObject(json) || typeof json['key'] !== 'string')
      throw new CliError(`${name}: there was no key in the answer`);
    file.add('applications', name, json['key']);
    made.push(name);
  }
  return made;
}

function read(path: string): JsonObject {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(content)) return content;
  } catch (error) {
    if (isMissing(error)) return {};
  }
  throw new CliError(`${path} exists and is not a file of keys`);
}
