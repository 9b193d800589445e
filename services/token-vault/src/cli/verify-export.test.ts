import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CommandError, UsageError } from '@glovebox/platform/process/commands';
import { chainedLine, checkpointLine, noDigest } from '@glovebox/platform/signed-log/chain';
import { fingerprintOf, jwkOf } from '@glovebox/platform/signed-log/public-key';
import { expect } from 'chai';

import { verifyExportCommand } from './verify-export.ts';

describe('audit verify-export', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = jwkOf(privateKey);
  const fingerprint = fingerprintOf(jwk);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glovebox-export-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const save = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const failureOf = async (...args: string[]) =>
    verifyExportCommand.run(args).then(
      () => undefined,
      (error: unknown) => error,
    );
  const header = (format: string) => chainedLine(noDigest, { type: 'header', line: 1, format, id: 'a' });
  const exportOf = (format: string) => {
    const first = header(format);
    const content = {
      ...{ type: 'checkpoint', line: 2, export_id: 'a', entries: 0, final: true },
      ...{ key_id: fingerprint, public_key: jwk.x },
    };
    const last = checkpointLine(first.digest, content, (message) => sign(null, message, privateKey));
    return first.text + last.text;
  };

  it('prints what it has read, and by which keys', async () => {
    const file = await save('export.ndjson', exportOf('glovebox-audit-export/1'));
    const keys = await save('keys.json', JSON.stringify({ keys: [{ ...jwk, kid: 'not looked at' }] }));
    expect(await verifyExportCommand.run([file])).to.deep.include({ exitCode: 0 });
    expect((await verifyExportCommand.run([file])).output).to.deep.include({
      intact: true,
      believed_keys: [fingerprint],
    });
    expect((await verifyExportCommand.run([file, '--keys', keys])).output).to.deep.include({
      intact: true,
      keys: [fingerprint],
    });
  });

  it('takes no other signed log for an export', async () => {
    const { exitCode, output } = await verifyExportCommand.run([await save('other', exportOf('other/1'))]);
    expect(exitCode).to.equal(65);
    expect(output).to.have.nested.property('first_mismatch.line', 1);
  });

  it('says which argument or file is wrong', async () => {
    const file = await save('export.ndjson', exportOf('glovebox-audit-export/1'));
    expect(await failureOf()).to.be.instanceOf(UsageError);
    expect(await failureOf(join(folder, 'nowhere')))
      .to.be.instanceOf(CommandError)
      .and.include({ exitCode: 69 });
    expect(await failureOf(file, '--keys', join(folder, 'nowhere'))).to.include({ exitCode: 69 });
    for (const keys of ['{"keys":[]}', '{}', 'no JSON', 'null', '{"keys":[null]}', '{"keys":[{"x":"AA"}]}']) {
      const path = await save('keys.json', keys);
      expect(await failureOf(file, '--keys', path), keys).to.be.instanceOf(UsageError);
    }
  });
});
