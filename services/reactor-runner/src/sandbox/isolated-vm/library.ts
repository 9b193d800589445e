import type ivm from 'isolated-vm';

import { readLibrary } from '../../node16/library/library-text.ts';
import { PackageLibrary, isJson } from '../../node16/library/package-library.ts';
import { CompiledTexts } from './compiled-texts.ts';

/** Evaluates Node's library and the packages in isolates, and keeps the compiled form of what any isolate has asked for. */
export class Library {
  readonly packages: PackageLibrary;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #modules: CompiledTexts;
  readonly #bundles: CompiledTexts;

  /**
   * @param file as prepare-library.ts writes it; without one there is nothing in the library.
   * @param packagesFile as prepare-packages.ts writes it; without one there are no packages.
   */
  constructor(file: string | undefined, packagesFile: string | undefined) {
    const texts = readLibrary(file);
    const packages = new PackageLibrary(packagesFile);
    this.#texts = texts;
    this.packages = packages;
    this.#modules = new CompiledTexts({
      fileOf: (name) => `node:${name}`,
      codeOf: (name) => texts.get(name) ?? '',
    });
    this.#bundles = new CompiledTexts({
      fileOf: (name) => `/node_modules/${name}/index.js`,
      codeOf: (name) => packages.codeOf(name) ?? '',
    });
  }

  /** The function that a text's value is: `environment` makes the environment, any other is a module. Undefined: there is no such text. */
  evaluate(isolate: ivm.Isolate, context: ivm.Context, name: string): ivm.Dereference<unknown> | undefined {
    if (!this.#texts.has(name)) return undefined;
    return this.#modules.evaluate(isolate, context, name).derefInto({ release: true });
  }

  /** A bundle's function, or the text of some JSON; undefined: there is no such bundle. */
  evaluateBundle(
    isolate: ivm.Isolate,
    context: ivm.Context,
    name: string,
  ): ivm.Dereference<unknown> | string | undefined {
    const text = this.packages.codeOf(name);
    if (text === undefined || isJson(name)) return text;
    return this.#bundles.evaluate(isolate, context, name, text).derefInto({ release: true });
  }

  /** Makes what the isolate has evaluated quicker to evaluate for others; takes a while (compiled-texts.ts). */
  keepCalled(isolate: ivm.Isolate): void {
    this.#modules.keepCalled(isolate);
    this.#bundles.keepCalled(isolate);
  }
}
