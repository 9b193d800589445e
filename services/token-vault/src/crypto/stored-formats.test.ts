import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { DekStore, KeyKind, StoredDek } from './dek-store.ts';
import { fingerprint } from './fingerprint.ts';
import { Keyring } from './keyring.ts';
import { openLocalFileKeyProvider } from './local-file-key-provider.ts';
import { Sealer } from './sealer.ts';
import { searchHash } from './search-hash.ts';

/**
 * Bytes as they rest in somebody's database, made by another implementation (WebCrypto) from what the comments of this
 * folder say. A change that cannot read them loses every token that was ever stored: it needs a new format beside the
 * old one, never a new expectation here.
 */
const tenantId = '3f0c2a6f-9c1e-4d0a-8b77-77b0d0000000';
const keyFile = {
  format: 'glovebox-key-file/1',
  current: 'local-1',
  keys: { 'local-1': Buffer.alloc(32, 0x11).toString('base64') },
};
const wrapped: Readonly<Record<KeyKind, string>> = {
  data:
    '333333333333333333333333a6a17064e8b0570e909ac94f8509c10a24ea2d16a8fba78eda682ba781aca808' +
    'e40bcddb3ea6c8b3e6da6a004147f573',
  index:
    '333333333333333333333333a6a17064e8b0570e909ac94f8509c10a24ea2d16a8fba78eda682ba781aca808' +
    '2d9a13a6c9a87ebb30e73a67a4513ebf',
};
const envelope =
  '010000000144444444444444444444444416de19c20c5524bbaee1f084ab161d9230462551854ee03037e87cd16e035ad0e2f7';

/** A database that holds exactly those keys. */
const store: DekStore = {
  get: async (tenant, kind, version) => (version === 1 && tenant === tenantId ? stored(kind) : undefined),
  current: async (tenant, kind) => (tenant === tenantId ? stored(kind) : undefined),
  indexVersions: async () => undefined,
  ageOfIndexKey: async () => 0,
  reserveSeals: async () => 0,
  startsWithTags: async () => true,
  insertIfAbsent: async () => {
    throw new Error('a key was made although there is one');
  },
};

function stored(kind: KeyKind): StoredDek {
  return {
    tenantId,
    kind,
    version: 1,
    rowFormat: 1,
    keyId: 'local-1',
    wrapped: Buffer.from(wrapped[kind], 'hex'),
  };
}

describe('what is stored already', () => {
  let folder: string;
  let keyring: Keyring;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glovebox-stored-'));
    const path = join(folder, 'vault.keys');
    await writeFile(path, JSON.stringify(keyFile), { mode: 0o600 });
    keyring = new Keyring({ provider: await openLocalFileKeyProvider(path), store });
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  it('opens: a value in an envelope of format 1', async () => {
    const binding = { tenantId, recordId: 'my token', field: 'data' };
    const opened = await new Sealer(keyring).open(binding, Buffer.from(envelope, 'hex'));
    expect(opened.toString()).to.equal('"4242424242424242"');
  });

  it('is found again: fingerprints and search hashes under the derived keys', async () => {
    const keys = await keyring.indexKeys(tenantId);
    expect(keys.fingerprint.export().toString('hex')).to.equal(
      '471856338e7f131b181337e6a4e6b56e9e98af4f46d6d918d038d0c83c6e6dcf',
    );
    expect(keys.search.export().toString('hex')).to.equal(
      'c7268b9f6e46769c29c596f29c8dea3cbe1312375b95df63a956b39b4c80787a',
    );
    expect(fingerprint(keys.fingerprint, 'card', '4242424242424242')).to.equal(
      '91iYGzgr4SRRrcWSqrr2B5HfDF9oe6xPvWCC4dBiUUua',
    );
    expect(searchHash(keys.search, '4242').toString('hex')).to.equal(
      '794b7a63ded646fdda1caed8df0b89feada8d0482434bec7678e461728fef023',
    );
  });
});
