import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Names in the folder that `writePackages` fills. */
export const packFile = 'packages.pack';
export const licencesFile = 'LICENSES.txt';

/** The index of a pack. */
interface Index {
  /** The text for each name that may be required. */
  readonly names: Readonly<Record<string, string>>;
  /** The offset of each text, in bytes from the end of the index, and its length. */
  readonly places: Readonly<Record<string, readonly [offset: number, length: number]>>;
}

export interface PackContents {
  readonly names: ReadonlyMap<string, string>;
  /** ASCII only, so that an isolate stores them at one byte a character. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The index is preceded by its length, in this many decimal digits. */
const headBytes = 12;

/**
 * Writes one file with all texts. An existing file is filled and not replaced, so that processes which have opened it see
 * the result. Its head, without which nothing is read, is written last. Concurrent writers write the same bytes.
 */
export async function writePack(file: string, { names, texts }: PackContents): Promise<void> {
  const places: Record<string, [number, number]> = {};
  let offset = 0;
  for (const [name, { length }] of texts) {
    places[name] = [offset, length];
    offset += length;
  }
  const index = Buffer.from(JSON.stringify({ names: Object.fromEntries(names), places } satisfies Index));
  await (await open(file, 'a')).close();
  await using handle = await open(file, 'r+');
  let position = headBytes;
  for (const bytes of [index, ...[...texts.values()].map((text) => Buffer.from(text, 'latin1'))]) {
    await writeAt(handle, bytes, position);
    position += bytes.length;
  }
  await handle.sync();
  await writeAt(handle, Buffer.from(String(index.length).padStart(headBytes, '0')), 0);
}

async function writeAt(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Reads a pack. The file is opened at once, and each text is read on demand. */
export class Pack implements Disposable {
  readonly #fd: number;
  #index: (Index & { readonly end: number }) | undefined;

  /** @throws Error when there is no such file */
  constructor(file: string) {
    this.#fd = openSync(file, 'r');
  }

  /** Whether it is completely written. Until then it reads as empty. */
  get isWhole(): boolean {
    return this.#readIndex() !== undefined;
  }

  /** All names that may be required. */
  names(): string[] {
    return Object.keys(this.#readIndex()?.names ?? {});
  }

  /** The text for a name, and the name's form in it: a path may end in `.js`. */
  find(name: string): { readonly text: string; readonly name: string } | undefined {
    const names = this.#readIndex()?.names ?? {};
    const bare = name.endsWith('.js') && !Object.hasOwn(names, name) ? name.slice(0, -3) : name;
    const text = Object.hasOwn(names, bare) ? names[bare] : undefined;
    return text === undefined ? undefined : { text, name: bare };
  }

  /** @throws Error when the file is truncated */
  read(text: string): string | undefined {
    const index = this.#readIndex();
    const place = index !== undefined && Object.hasOwn(index.places, text) ? index.places[text] : undefined;
    if (index === undefined || place === undefined) return undefined;
    const [offset, length] = place;
    const bytes = this.#read(index.end + offset, length);
    if (bytes === undefined) throw new Error('the pack of packages for user code is cut off');
    return bytes.toString('latin1');
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  #readIndex(): (Index & { readonly end: number }) | undefined {
    if (this.#index !== undefined) return this.#index;
    const length = Number.parseInt(this.#read(0, headBytes)?.toString() ?? '', 10);
    if (Number.isNaN(length)) return undefined;
    const bytes = this.#read(headBytes, length);
    if (bytes === undefined) throw new Error('the pack of packages for user code is cut off');
    const index: Index = JSON.parse(bytes.toString());
    this.#index = { ...index, end: headBytes + length };
    return this.#index;
  }

  /** Undefined when the file is shorter. */
  #read(position: number, length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const read = readSync(this.#fd, bytes, done, length - done, position + done);
      if (read === 0) return undefined;
      done += read;
    }
    return bytes;
  }
}
