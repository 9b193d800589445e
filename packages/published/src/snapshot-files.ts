import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Beyond this no further record is kept: what is kept already is kept up to date. */
const maxBytes = 1024 ** 3;

/** A record that is larger was never published. */
const maxRecordBytes = 64 * 1024 ** 2;

/**
 * The signed bytes of published records on the local disk, a file each, and the marker that vouches for them. It holds
 * no secret that Redis does not hold sealed, and nothing in it is believed without its signature.
 */
export class SnapshotFiles {
  readonly #folder: string;
  /** Bytes and digest by the name of the file; without a digest what an earlier process has left. */
  readonly #known = new Map<string, { readonly bytes: number; readonly digest: string | undefined }>();
  #bytes = 0;
  #drafts = 0;
  #isListed = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the folder. */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Finds what an earlier process has left, once: before anything is written or removed. */
  async list(): Promise<void> {
    if (this.#isListed) return;
    for (const entry of await readdir(this.#folder, { withFileTypes: true })) {
      // Of a process that was killed.
      if (entry.name.startsWith('draft-')) await rm(join(this.#folder, entry.name), { force: true });
      if (!entry.isDirectory()) continue;
      for (const name of await readdir(join(this.#folder, entry.name))) {
        if (/^[0-9a-f]{62}$/.test(name)) this.#known.set(entry.name + name, { bytes: 0, digest: undefined });
      }
    }
    this.#isListed = true;
  }

  /** The marker as it was signed; undefined for none. */
  async marker(): Promise<string | undefined> {
    return (await readIfThere(join(this.#folder, 'marker')))?.toString();
  }

  async putMarker(text: string): Promise<void> {
    await this.#write(join(this.#folder, 'marker'), text);
  }

  /** Undefined for none. @param key the whole name in Redis */
  async read(key: string): Promise<Buffer | undefined> {
    return readIfThere(this.#pathOf(nameOf(key)));
  }

  has(key: string, stored: Uint8Array): boolean {
    return this.#known.get(nameOf(key))?.digest === digestOf(stored);
  }

  /** @returns false where there is no room for it */
  async put(key: string, stored: Uint8Array): Promise<boolean> {
    const name = nameOf(key);
    const before = this.#known.get(name)?.bytes ?? 0;
    const bytes = this.#bytes - before + stored.length;
    if (stored.length > maxRecordBytes || bytes > maxBytes) {
      // An older one would be a superseded one.
      await this.remove(key);
      return false;
    }
    await mkdir(join(this.#folder, name.slice(0, 2)), { recursive: true, mode: 0o700 });
    await this.#write(this.#pathOf(name), stored);
    this.#known.set(name, { bytes: stored.length, digest: digestOf(stored) });
    this.#bytes = bytes;
    return true;
  }

  async remove(key: string): Promise<void> {
    await this.#removeFile(nameOf(key));
  }

  /** Removes every record but those with these keys. */
  async keepOnly(keys: ReadonlySet<string>): Promise<void> {
    const kept = new Set([...keys].map(nameOf));
    for (const name of this.#known.keys()) {
      if (!kept.has(name)) await this.#removeFile(name);
    }
  }

  async #removeFile(name: string): Promise<void> {
    const known = this.#known.get(name);
    if (known === undefined) return;
    await unlink(this.#pathOf(name)).catch(unlessMissing);
    this.#known.delete(name);
    this.#bytes -= known.bytes;
  }

  /** Readers find the old content or the new one, whole. */
  async #write(path: string, content: Uint8Array | string): Promise<void> {
    const draft = join(this.#folder, `draft-${process.pid}-${(this.#drafts += 1)}`);
    try {
      await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, name.slice(0, 2), name.slice(2));
  }
}

function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function digestOf(stored: Uint8Array): string {
  return createHash('sha256').update(stored).digest('base64');
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    unlessMissing(error);
    return undefined;
  }
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
