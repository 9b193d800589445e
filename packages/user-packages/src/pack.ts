import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

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

/** Writes one file with all texts. */
export async function writePack(file: string, { names, texts }: PackContents): Promise<void> {
  const places: Record<string, [number, number]> = {};
  let offset = 0;
  for (const [name, { length }] of texts) {
    places[name] = [offset, length];
    offset += length;
  }
  const index: Index = { names: Object.fromEntries(names), places };
  const head = Buffer.from(JSON.stringify(index));
  await using handle = await open(file, 'wx');
  await handle.writeFile(String(head.length).padStart(headBytes, '0'));
  await handle.writeFile(head);
  for (const text of texts.values()) await handle.writeFile(text, 'latin1');
}

/** A pack as a process reads it: it is opened at once, and each text is read when it is asked for. */
export class Pack implements Disposable {
  readonly #fd: number;
  #index: (Index & { readonly end: number }) | undefined;

  /** @throws Error when there is no such file. */
  constructor(file: string) {
    this.#fd = openSync(file, 'r');
  }

  /** All that may be required. */
  names(): string[] {
    return Object.keys(this.#readIndex().names);
  }

  /** The text that holds what a name stands for, and the name's own form there: a path may end in `.js`. */
  find(name: string): { readonly text: string; readonly name: string } | undefined {
    const { names } = this.#readIndex();
    const bare = name.endsWith('.js') && !Object.hasOwn(names, name) ? name.slice(0, -3) : name;
    return Object.hasOwn(names, bare) ? { text: names[bare] as string, name: bare } : undefined;
  }

  read(text: string): string | undefined {
    const { places, end } = this.#readIndex();
    const place = Object.hasOwn(places, text) ? places[text] : undefined;
    return place === undefined ? undefined : this.#read(end + place[0], place[1]).toString('latin1');
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  #readIndex(): Index & { readonly end: number } {
    if (this.#index === undefined) {
      const length = Number(this.#read(0, headBytes).toString());
      const index = JSON.parse(this.#read(headBytes, length).toString()) as Index;
      this.#index = { ...index, end: headBytes + length };
    }
    return this.#index;
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const read = readSync(this.#fd, bytes, done, length - done, position + done);
      if (read === 0) throw new Error('the pack of packages for user code is cut off');
      done += read;
    }
    return bytes;
  }
}
