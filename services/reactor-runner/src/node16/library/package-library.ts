import { Pack } from '@glovebox/user-packages/pack';

/** For so long code waits for packages that are being bundled, and looks so often. */
const defaultPatienceMs = 10_000;
const lookMs = 50;
/** Each of them takes memory of every new isolate. */
const keptNames = 3;
const bundleHead = '(function (exports, require, module, __filename, __dirname) {';

/** The packages that user code may require. */
export class PackageLibrary {
  readonly #pack: Pack | undefined;
  readonly #patienceMs: number;
  #givesUpAt: number | undefined;
  #lately: readonly string[] = [];

  /** @param file is opened at once, while this process may; without one there are no packages. */
  constructor(file: string | undefined, patienceMs = defaultPatienceMs) {
    this.#patienceMs = patienceMs;
    this.#pack = file === undefined ? undefined : new Pack(file);
  }

  /** All of them, without the paths below them. */
  names(): string[] {
    return (this.#pack?.names() ?? []).filter((name) => name.split('/').length === (name[0] === '@' ? 2 : 1));
  }

  /**
   * The bundle of a package name, and the name in that bundle. Right after the very first start of a runner this
   * process is blocked until the bundle exists.
   *
   * @throws Error when that takes too long.
   */
  find(name: string): { readonly text: string; readonly name: string } | undefined {
    if (this.#pack === undefined) return undefined;
    this.#wait(this.#pack);
    const found = this.#pack.find(name);
    if (found !== undefined)
      this.#lately = [name, ...this.#lately.filter((one) => one !== name)].slice(0, keptNames);
    return found;
  }

  /** The names that were found last: code that is new to this process most likely requires them too. */
  get lately(): readonly string[] {
    return this.#lately;
  }

  /** A bundle as a script whose value is its function, or JSON text if `isJson(name)`. */
  codeOf(name: string): string | undefined {
    const text = this.#pack?.read(name);
    return text === undefined || isJson(name) ? text : `${bundleHead}${text}\n})`;
  }

  #wait(pack: Pack): void {
    while (!pack.isWhole) {
      this.#givesUpAt ??= performance.now() + this.#patienceMs;
      if (performance.now() > this.#givesUpAt) {
        throw new Error(
          'The packages for user code are being prepared on this runner: try again in a minute.',
        );
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookMs);
    }
  }
}

export function isJson(name: string): boolean {
  return name.startsWith('json:');
}
