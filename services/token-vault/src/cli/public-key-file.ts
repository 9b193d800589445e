import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { CommandError, UsageError, exitCodes } from '@glovebox/platform/process/commands';
import { KeySetError, parseKeySet } from '@glovebox/platform/signed-log/key-set';

/**
 * The keys of a file with what `/.well-known/glovebox-audit-keys` has answered, by their fingerprints.
 * @throws CommandError, UsageError
 */
export async function readKeys(path: string): Promise<ReadonlyMap<string, KeyObject>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    return parseKeySet(text);
  } catch (error) {
    throw error instanceof KeySetError ? new UsageError(`--keys: ${path} ${error.message}`) : error;
  }
}

export function unreadable(path: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new CommandError(exitCodes.unavailable, `${path} cannot be read (${code})`);
}
