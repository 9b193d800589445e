import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { CommandError, exitCodes } from '@glovebox/platform/process/commands';

/**
 * In the order of a backup: what control-api has sealed by the vault opens under keys of the vault's database, which
 * must not be the older one.
 */
export const backedUp = ['control', 'vault'] as const;
export type BackedUp = (typeof backedUp)[number];

/** Describes a backup, and is written last: a folder without it is none. */
export interface Manifest {
  readonly format: 'glovebox-backup/1';
  readonly created_at: string;
  readonly databases: Readonly<Record<BackedUp, { readonly file: string; readonly sha256: string }>>;
  /** Without these key-encryption keys, which are not in it, no token of the backup opens. */
  readonly key_encryption_keys: readonly string[];
}

export const manifestFile = 'manifest.json';

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(directory, manifestFile), text, { mode: 0o600, flush: true });
}

/** @throws CommandError when it is no backup, or not the one that was made */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, manifestFile), 'utf8').catch(() => {
    throw noBackup(directory, `it has no ${manifestFile}`);
  });
  const manifest = parse(text);
  if (manifest?.format !== 'glovebox-backup/1')
    throw noBackup(directory, `its ${manifestFile} is not a manifest`);
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

function noBackup(directory: string, why: string): CommandError {
  return new CommandError(
    exitCodes.data,
    `${directory} is not a complete backup: ${why}\nNothing was restored.`,
  );
}
