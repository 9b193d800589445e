import { createReadStream } from 'node:fs';

import { type Command, exitCodes, readArguments } from '@glovebox/platform/process/commands';
import { verifyExport } from '@glovebox/platform/signed-log/verify-export';

import { readKeys, unreadable } from './public-key-file.ts';

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
    const [path = ''] = positionals;
    const output = await verifyExport(createReadStream(path), known).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    return { output, exitCode: output.intact ? 0 : exitCodes.data };
  },
};
