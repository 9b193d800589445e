import { type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

import {
  type Command,
  CommandError,
  UsageError,
  exitCodes,
  readArguments,
} from '@glovebox/platform/process/commands';
import { fingerprintOf, publicKeyOf } from '@glovebox/platform/signed-log/public-key';
import { type VerifiedLog, verifyLog } from '@glovebox/platform/signed-log/verify-log';

const format = 'glovebox-audit-export/1';

export const verifyExportCommand: Command = {
  name: 'audit verify-export',
  takes: 'FILE [--keys FILE]',
  does:
    'verifies an export of the audit log, without a database and without a secret, and names the first line that was changed, ' +
    'left out, added or moved; exit code 65 then. --keys is what /.well-known/glovebox-audit-keys has answered; without it the ' +
    'keys in the export are believed, and their fingerprints printed.',
  async run(args) {
    const { positionals, values } = readArguments(args, { keys: { type: 'string' } }, 1);
    const known = values.keys === undefined ? undefined : await readKeys(values.keys);
    const verified = await verifyFile(positionals[0] ?? '', known);
    return { output: show(verified, known !== undefined), exitCode: verified.problem ? exitCodes.data : 0 };
  },
};

async function verifyFile(
  path: string,
  known: ReadonlyMap<string, KeyObject> | undefined,
): Promise<VerifiedLog> {
  try {
    return await verifyLog(createReadStream(path), format, known);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function show({ header, entries, checkpoints, keys, problem }: VerifiedLog, isGiven: boolean): object {
  const { id, tenant_id, from, to, complete_until } = header ?? {};
  return {
    intact: problem === undefined,
    export: { id, tenant_id, from, to, complete_until },
    entries,
    checkpoints,
    [isGiven ? 'keys' : 'believed_keys']: keys,
    ...(problem && { first_mismatch: problem }),
  };
}

/** @throws CommandError, UsageError */
async function readKeys(path: string): Promise<ReadonlyMap<string, KeyObject>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const keys = new Map<string, KeyObject>();
  for (const x of publicKeysIn(text)) {
    const key = publicKeyOf(x);
    if (key === undefined) throw new UsageError(`--keys: ${path} has a key that is not one of Ed25519`);
    keys.set(fingerprintOf({ kty: 'OKP', crv: 'Ed25519', x }), key);
  }
  if (keys.size === 0) throw new UsageError(`--keys: ${path} has no keys`);
  return keys;
}

/** Of a JSON Web Key Set (RFC 7517). */
function publicKeysIn(text: string): readonly string[] {
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    if (!Array.isArray(keys)) return [];
    return keys.map((key: { readonly x?: unknown } | null) => (typeof key?.x === 'string' ? key.x : ''));
  } catch {
    return [];
  }
}

function unreadable(path: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new CommandError(exitCodes.unavailable, `${path} cannot be read (${code})`);
}
