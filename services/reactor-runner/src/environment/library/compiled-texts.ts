import type ivm from 'isolated-vm';

/** The compiled form of what has been evaluated, for all isolates of this process. */
export class CompiledTexts {
  readonly #compiled = new Map<string, ivm.ExternalCopy<ArrayBuffer>>();

  /** The value of a script in the context. */
  evaluate(isolate: ivm.Isolate, context: ivm.Context, filename: string, code: string): ivm.Reference {
    const cachedData = this.#compiled.get(filename);
    const script = isolate.compileScriptSync(
      code,
      cachedData === undefined ? { filename, produceCachedData: true } : { filename, cachedData },
    );
    const { cachedData: produced } = script as ivm.CachedDataResult;
    if (cachedData === undefined && produced !== undefined) this.#compiled.set(filename, produced);
    const value = script.runSync(context, { reference: true }) as ivm.Reference;
    script.release();
    return value;
  }
}
