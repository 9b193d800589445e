import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { StartProblem } from './problem.ts';

/**
 * In the order of a backup: what control-api has sealed by the vault opens under keys of the vault's database, which
 * must not be the older one.
 */
export const backedUp = ['control', 'vault'] as const;
export type BackedUp = (typeof backedUp)[number];

export type DatabaseUrls = Readonly<Record<BackedUp, string>>;

/** Describes a backup, and is written last: a folder without it is none. */
export interface Manifest {
  readonly format: 'glovebox-backup/1';
  readonly created_at: string;
  readonly databases: Readonly<Record<BackedUp, { readonly file: string; readonly sha256: string }>>;
  /** Without these key-encryption keys, which are not in it, no token of the backup opens. */
  readonly key_encryption_keys: readonly string[];
}

const fileName = 'manifest.json';

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  await writeFile(join(directory, fileName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** @throws StartProblem when it is no backup, or not the one that was made */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, fileName), 'utf8').catch((cause: unknown) => {
    throw noBackup(directory, 'it has no manifest.json', cause);
  });
  const manifest = parse(text);
  if (manifest?.format !== 'glovebox-backup/1') throw noBackup(directory, 'its manifest.json is none');
  for (const name of backedUp) {
    const file = `${name}.dump`;
    const found = await hashOf(join(directory, file)).catch(() => undefined);
    const { databases } = manifest as Partial<Manifest>;
    if (found === undefined || databases?.[name]?.file !== file || databases[name].sha256 !== found) {
      throw noBackup(directory, `${file} is missing or was changed`);
    }
  }
  return manifest;
}

function parse(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined;
  }
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function noBackup(directory: string, why: string, cause?: unknown): StartProblem {
  return new StartProblem(`${directory} is no whole backup: ${why}`, 'Nothing was restored.', { cause });
}
