import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { IntegrityViolation } from './integrity-violation.ts';
import { createKeyFile } from './key-file.ts';
import { openLocalFileKeyProvider } from './local-file-key-provider.ts';

const dataKey = Buffer.alloc(32, 0x33);
const aad = Buffer.from('tenant a, version 1');

describe('local file key provider', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glovebox-keys-'));
    path = join(folder, 'vault.keys');
    await createKeyFile(path);
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  /** Adds a key to the file and makes it the current one, as an operator who rotates does. */
  async function rotateFile(keyId: string): Promise<void> {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof content !== 'object' || content === null || !('keys' in content))
      throw new Error('no key file');
    const keys = { ...(content.keys as object), [keyId]: Buffer.alloc(32, 9).toString('base64') };
    await writeFile(path, JSON.stringify({ ...content, current: keyId, keys }));
  }

  async function errorOf(action: Promise<unknown>): Promise<unknown> {
    return action.then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  it('unwraps what it has wrapped, also after a restart', async () => {
    const { keyId, wrapped } = await (await openLocalFileKeyProvider(path)).wrap(dataKey, aad);
    const later = await openLocalFileKeyProvider(path);
    expect(await later.unwrap(keyId, wrapped, aad)).to.deep.equal(dataKey);
  });

  it('wraps under the current key and keeps unwrapping under earlier ones', async () => {
    const before = await openLocalFileKeyProvider(path);
    const old = await before.wrap(dataKey, aad);
    await rotateFile('next');
    const after = await openLocalFileKeyProvider(path);
    expect(after.currentKeyId).to.equal('next');
    expect((await after.wrap(dataKey, aad)).keyId).to.equal('next');
    expect(await after.unwrap(old.keyId, old.wrapped, aad)).to.deep.equal(dataKey);
  });

  it('does not unwrap for another place', async () => {
    const provider = await openLocalFileKeyProvider(path);
    const { keyId, wrapped } = await provider.wrap(dataKey, aad);
    const error = await errorOf(provider.unwrap(keyId, wrapped, Buffer.from('tenant b, version 1')));
    expect(error).to.be.instanceOf(IntegrityViolation);
  });

  it('does not unwrap bytes of which one is changed', async () => {
    const provider = await openLocalFileKeyProvider(path);
    const { keyId, wrapped } = await provider.wrap(dataKey, aad);
    for (let at = 0; at < wrapped.length; at += 1) {
      const changed = Buffer.from(wrapped);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      expect(await errorOf(provider.unwrap(keyId, changed, aad))).to.be.instanceOf(IntegrityViolation);
    }
  });

  it('does not unwrap under another key of the same file', async () => {
    const old = await (await openLocalFileKeyProvider(path)).wrap(dataKey, aad);
    await rotateFile('next');
    const provider = await openLocalFileKeyProvider(path);
    expect(await errorOf(provider.unwrap('next', old.wrapped, aad))).to.be.instanceOf(IntegrityViolation);
  });

  it('tells the operator, and only him, when the file lacks the key that is needed', async () => {
    const provider = await openLocalFileKeyProvider(path);
    const error = await errorOf(provider.unwrap('of-another-file', Buffer.alloc(60), aad));
    expect(error).to.be.instanceOf(AppError);
    if (!(error instanceof AppError)) return;
    expect(error.code).to.equal('unavailable');
    expect(error.message).not.to.include('of-another-file');
    expect(String(error.cause)).to.include(path).and.to.include('of-another-file');
  });

  it('shows no key when it is printed', async () => {
    await rotateFile('next');
    const provider = await openLocalFileKeyProvider(path);
    expect(inspect(provider, { depth: 9, showHidden: true })).not.to.match(/09 09 09|CQkJ/);
  });
});
