import { readFileSync } from 'node:fs';

import type ivm from 'isolated-vm';

import { environmentText } from './environment-text.ts';

const moduleHead = '(function (exports, require, module, process, internalBinding, primordials) {';
const contextHead = '(function (exports, primordials, privateSymbols, perIsolateSymbols) {';

/** Node's library as text, and the compiled form of what has been asked for, for all isolates of this process. */
export class Library {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #compiled = new Map<string, ivm.ExternalCopy<ArrayBuffer>>();

  /** @param file as prepare-library.ts writes it; without one there is nothing in the library. */
  constructor(file: string | undefined) {
    if (file === undefined) {
      this.#texts = new Map();
      return;
    }
    const modules = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    this.#texts = new Map([...Object.entries(modules).map(wrapped), ['environment', environmentText()]]);
  }

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  /** The value of a text in the context: a function. `environment` makes the environment, any other is a module. */
  evaluate(isolate: ivm.Isolate, context: ivm.Context, name: string): ivm.Reference {
    const code = this.#texts.get(name) as string;
    const filename = `node:${name}`;
    const cachedData = this.#compiled.get(name);
    const script = isolate.compileScriptSync(
      code,
      cachedData === undefined ? { filename, produceCachedData: true } : { filename, cachedData },
    );
    const { cachedData: produced } = script as ivm.CachedDataResult;
    if (cachedData === undefined && produced !== undefined) this.#compiled.set(name, produced);
    const value = script.runSync(context, { reference: true }) as ivm.Reference;
    script.release();
    return value;
  }
}

function wrapped([name, code]: [string, string]): [string, string] {
  return [name, `${name.startsWith('internal/per_context/') ? contextHead : moduleHead}${code}\n})`];
}
