import type ivm from 'isolated-vm';

export interface TextSource {
  /** The name that stacks show. */
  fileOf(name: string): string;
  /** The same whenever it is asked. */
  codeOf(name: string): string;
}

/** The compiled form of what has been evaluated, for all isolates of this process. */
export class CompiledTexts {
  readonly #source: TextSource;
  readonly #compiled = new Map<string, ivm.ExternalCopy<ArrayBuffer>>();
  /** What an isolate has evaluated while more could be kept of it. */
  readonly #partial = new WeakMap<ivm.Isolate, Set<string>>();
  readonly #whole = new Set<string>();

  constructor(source: TextSource) {
    this.#source = source;
  }

  /** The value of a script in the context. */
  evaluate(
    isolate: ivm.Isolate,
    context: ivm.Context,
    name: string,
    code = this.#source.codeOf(name),
  ): ivm.Reference {
    const script = this.#compile(isolate, name, code);
    if (!this.#whole.has(name)) this.#partialOf(isolate).add(name);
    const value = script.runSync(context, { reference: true });
    script.release();
    return value;
  }

  /**
   * Keeps the compiled form of the functions that have been called in the isolate as well: V8 compiles each when it
   * is first called, and has all of them at hand when it is given the same text again. Most of the time that a large
   * package takes to load is theirs. Takes milliseconds, so call it while no call waits.
   */
  keepCalled(isolate: ivm.Isolate): void {
    for (const name of this.#partial.get(isolate) ?? []) {
      if (this.#whole.has(name)) continue;
      this.#compiled.delete(name);
      this.#compile(isolate, name, this.#source.codeOf(name)).release();
      this.#whole.add(name);
    }
    this.#partial.delete(isolate);
  }

  #compile(isolate: ivm.Isolate, name: string, code: string): ivm.Script {
    const filename = this.#source.fileOf(name);
    const cachedData = this.#compiled.get(name);
    if (cachedData !== undefined) return isolate.compileScriptSync(code, { filename, cachedData });
    const script: ivm.Script & ivm.CachedDataResult = isolate.compileScriptSync(code, {
      filename,
      produceCachedData: true,
    });
    if (script.cachedData !== undefined) this.#compiled.set(name, script.cachedData);
    return script;
  }

  #partialOf(isolate: ivm.Isolate): Set<string> {
    const known = this.#partial.get(isolate) ?? new Set();
    this.#partial.set(isolate, known);
    return known;
  }
}
