import { readFile } from 'node:fs/promises';

import { type Command, CommandError, exitCodes, readArguments } from '@glovebox/platform/process/commands';
import { type SignedDocument, documentProblem } from '@glovebox/platform/signed-log/signed-document';

import { certificateFormat } from '../audit/erasure-certificate.ts';
import { readKeys, unreadable } from './public-key-file.ts';

export const verifyErasureCommand: Command = {
  name: 'tenant verify-erasure',
  takes: 'FILE [--keys FILE]',
  does:
    'verifies a certificate of erasure, as `tenant erase` has printed it, without a database and without a secret; exit code ' +
    '65 if it was changed. --keys is what /.well-known/glovebox-audit-keys has answered; without it the key in the certificate ' +
    'is believed, and its fingerprint printed.',
  async run(args) {
    const { positionals, values } = readArguments(args, { keys: { type: 'string' } }, 1);
    const known = values.keys === undefined ? undefined : await readKeys(values.keys);
    const certificate = await readCertificate(positionals[0] ?? '');
    const problem = documentProblem(certificate, certificateFormat, known);
    const { tenant_id, keys_destroyed_at, rows_erased_at, backups, key_id } = certificate;
    return {
      output: {
        intact: problem === undefined,
        tenant_id,
        keys_destroyed_at,
        rows_erased_at,
        backups,
        [known === undefined ? 'believed_key' : 'key']: key_id,
        ...(problem !== undefined && { problem }),
      },
      exitCode: problem === undefined ? 0 : exitCodes.data,
    };
  },
};

/** Alone, or in the output of the command that printed it. */
async function readCertificate(path: string): Promise<SignedDocument> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    const read: { readonly certificate?: SignedDocument } & SignedDocument = JSON.parse(text);
    const certificate = read.certificate ?? read;
    if (typeof certificate === 'object') return certificate;
  } catch {
    // Said below.
  }
  throw new CommandError(exitCodes.data, `${path} is no certificate: it is not a JSON object`);
}
