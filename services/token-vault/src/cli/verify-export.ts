import { type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';

import { type Command, exitCodes, readArguments } from '@glovebox/platform/process/commands';
import { type VerifiedLog, verifyLog } from '@glovebox/platform/signed-log/verify-log';

import { readKeys, unreadable } from './public-key-file.ts';

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
