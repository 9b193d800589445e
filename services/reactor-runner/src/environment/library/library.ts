import { readFileSync } from 'node:fs';

import type ivm from 'isolated-vm';

import { CompiledTexts } from './compiled-texts.ts';
import { environmentText } from './environment-text.ts';
import { PackageLibrary } from './package-library.ts';

const moduleHead = '(function (exports, require, module, process, internalBinding, primordials) {';
const contextHead = '(function (exports, primordials, privateSymbols, perIsolateSymbols) {';

/** Node's library as text, and the compiled form of what has been asked for, for all isolates of this process. */
export class Library {
  readonly packages: PackageLibrary;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #compiled = new CompiledTexts({
    fileOf: (name) => `node:${name}`,
    codeOf: (name) => this.#texts.get(name) as string,
  });

  /**
   * @param file as prepare-library.ts writes it; without one there is nothing in the library.
   * @param packagesFile as prepare-packages.ts writes it; without one there are no packages.
   */
  constructor(file: string | undefined, packagesFile: string | undefined) {
    this.packages = new PackageLibrary(packagesFile);
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
    return this.#compiled.evaluate(isolate, context, name);
  }

  /** Makes what the isolate has evaluated quicker to evaluate for others; takes a while (compiled-texts.ts). */
  keepCalled(isolate: ivm.Isolate): void {
    this.#compiled.keepCalled(isolate);
    this.packages.keepCalled(isolate);
  }
}

function wrapped([name, code]: [string, string]): [string, string] {
  return [name, `${name.startsWith('internal/per_context/') ? contextHead : moduleHead}${code}\n})`];
}
