import { createReadStream } from 'node:fs';

import { KeySetError, parseKeySet } from '@glovebox/platform/signed-log/key-set';
import { verifyExport } from '@glovebox/platform/signed-log/verify-export';

import { CliError, messageOf } from '../terminal/cli-error.ts';
import { readInput } from '../terminal/read-input.ts';
import type { Command } from './command.ts';

export const verifyExportedLog: Command = {
  name: 'audit verify-export',
  takes: ['FILE'],
  flags: {
    keys: {
      type: 'string',
      value: 'FILE',
      does: 'What `/.well-known/glovebox-audit-keys` has answered; only these keys count. Without it, those that the export names.',
    },
  },
  does: 'Verifies an export of the log from the file alone, offline and without a key. Exit code 1 if it was changed.',
  async run(call) {
    const [file = ''] = call.words;
    const keys = call.text('keys');
    const known = keys === undefined ? undefined : knownKeys(keys);
    const verified = await verifyExport(createReadStream(file), known).catch((error: unknown) => {
      throw new CliError(`${file} cannot be read: ${messageOf(error)}`);
    });
    call.out.result(verified, JSON.stringify(verified, undefined, 2));
    return verified.intact ? 0 : 1;
  },
};

function knownKeys(file: string) {
  const text = readInput(file);
  try {
    return parseKeySet(text);
  } catch (error) {
    throw error instanceof KeySetError ? new CliError(`${file} ${error.message}`) : error;
  }
}
