import { Pack } from '@glovebox/user-packages/pack';
import type ivm from 'isolated-vm';

import { CompiledTexts } from './compiled-texts.ts';

/** The packages that user code may require; of one that it does require, the compiled form is kept. */
export class PackageLibrary {
  readonly #pack: Pack | undefined;
  readonly #compiled = new CompiledTexts();

  /** @param file is opened at once, while this process may; without one there are no packages. */
  constructor(file: string | undefined) {
    this.#pack = file === undefined ? undefined : new Pack(file);
  }

  /** All of them, without the paths below them. */
  names(): string[] {
    return (this.#pack?.names() ?? []).filter((name) => name.split('/').length === (name[0] === '@' ? 2 : 1));
  }

  /** The bundle that holds what a name stands for, and the name's own form there. */
  find(name: string): { readonly text: string; readonly name: string } | undefined {
    return this.#pack?.find(name);
  }

  /** A bundle's function in the context, or the text of some JSON; undefined when there is none. */
  evaluate(
    isolate: ivm.Isolate,
    context: ivm.Context,
    name: string,
  ): ivm.Dereference<unknown> | string | undefined {
    const text = this.#pack?.read(name);
    if (text === undefined || name.startsWith('json:')) return text;
    const code = `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
    return this.#compiled
      .evaluate(isolate, context, `/node_modules/${name}/index.js`, code)
      .derefInto({ release: true });
  }
}
