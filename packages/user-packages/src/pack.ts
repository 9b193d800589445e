import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** What stands in the folder that `writePackages` fills. */
export const packFile = 'packages.pack';
export const licencesFile = 'LICENSES.txt';

/** What a pack holds, apart from the texts themselves. */
interface Index {
  /** By each name that may be required: the text that holds it. */
  readonly names: Readonly<Record<string, string>>;
  /** By text: where it stands, in bytes from the end of the index, and how long it is. */
  readonly places: Readonly<Record<string, readonly [offset: number, length: number]>>;
}

export interface PackContents {
  readonly names: ReadonlyMap<string, string>;
  /** Nothing but ASCII, so that an isolate holds them at one byte a character. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The length of the index stands in front of it, in so many decimal digits. */
const headBytes = 12;

/**
 * Writes one file with all texts. Where there is a file, it is filled and not replaced, so that those who have opened
 * it will see the whole: its head, without which nothing is read, comes last. Whoever else does the same at the same
 * time writes the same.
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

/** A pack as a process reads it: it is opened at once, and each text is read when it is asked for. */
export class Pack implements Disposable {
  readonly #fd: number;
  #index: (Index & { readonly end: number }) | undefined;

  /** @throws Error when there is no such file. */
  constructor(file: string) {
    this.#fd = openSync(file, 'r');
  }

  /** Whether all of it has been written. Until then there is nothing in it. */
  get isWhole(): boolean {
    return this.#readIndex() !== undefined;
  }

  /** All that may be required. */
  names(): string[] {
    return Object.keys(this.#readIndex()?.names ?? {});
  }

  /** The text that holds what a name stands for, and the name's own form there: a path may end in `.js`. */
  find(name: string): { readonly text: string; readonly name: string } | undefined {
    const names = this.#readIndex()?.names ?? {};
    const bare = name.endsWith('.js') && !Object.hasOwn(names, name) ? name.slice(0, -3) : name;
    return Object.hasOwn(names, bare) ? { text: names[bare] as string, name: bare } : undefined;
  }

  /** @throws Error when the file is cut off. */
  read(text: string): string | undefined {
    const index = this.#readIndex();
    if (index === undefined || !Object.hasOwn(index.places, text)) return undefined;
    const [offset, length] = index.places[text] as readonly [number, number];
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
    this.#index = { ...(JSON.parse(bytes.toString()) as Index), end: headBytes + length };
    return this.#index;
  }

  /** Undefined when the file ends before. */
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
