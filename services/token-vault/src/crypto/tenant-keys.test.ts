import { createSecretKey, hkdfSync } from 'node:crypto';

import { expect } from 'chai';

import { decrypt, encrypt } from './aes-gcm.ts';
import type { StoredDek } from './dek-store.ts';
import { IntegrityViolation } from './integrity-violation.ts';
import type { KeyProvider } from './key-provider.ts';
import { newDek, rewrapDek, unwrapDataKey, unwrapIndexKeys } from './tenant-keys.ts';

const wrappingKey = createSecretKey(Buffer.alloc(32, 8));

/** Wraps for real and remembers the buffers that passed through, to see what becomes of them. */
function watchedProvider(): { provider: KeyProvider; seen: Uint8Array[]; copies: Buffer[] } {
  const seen: Uint8Array[] = [];
  const copies: Buffer[] = [];
  const watch = <B extends Uint8Array>(bytes: B): B => {
    seen.push(bytes);
    copies.push(Buffer.from(bytes));
    return bytes;
  };
  const provider: KeyProvider = {
    currentKeyId: 'kek',
    wrap: async (dataKey, aad) => ({
      keyId: 'kek',
      wrapped: encrypt(wrappingKey, aad, watch(dataKey), new Uint8Array()),
    }),
    unwrap: async (_keyId, wrapped, aad) => watch(decrypt(wrappingKey, aad, wrapped)),
  };
  return { provider, seen, copies };
}

async function errorOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('data keys of a tenant', () => {
  it('are 32 random bytes each', async () => {
    const { provider, copies } = watchedProvider();
    for (let i = 0; i < 20; i += 1) await newDek(provider, 'a', 'data', 1, 1);
    expect(new Set(copies.map((bytes) => bytes.toString('hex'))).size).to.equal(20);
    expect(copies.every((bytes) => bytes.length === 32)).to.equal(true);
  });

  it('leave no bytes in memory after they were made or unwrapped', async () => {
    const { provider, seen } = watchedProvider();
    const dek = await newDek(provider, 'a', 'data', 1, 1);
    await unwrapDataKey(provider, dek);
    await unwrapIndexKeys(provider, dek);
    expect(seen).to.have.length(3);
    for (const bytes of seen) expect(bytes.every((byte) => byte === 0)).to.equal(true);
  });

  it('leave no bytes in memory when wrapping them fails', async () => {
    const { provider, seen } = watchedProvider();
    const failing: KeyProvider = {
      ...provider,
      wrap: async (dataKey) => {
        seen.push(dataKey);
        throw new Error('the key service is away');
      },
    };
    expect(String(await errorOf(newDek(failing, 'a', 'data', 1, 1)))).to.include('away');
    expect(seen[0]?.every((byte) => byte === 0)).to.equal(true);
  });

  it('are derived from as HKDF-SHA256 says, with the purpose as its info', async () => {
    const { provider, copies } = watchedProvider();
    const dek = await newDek(provider, 'a', 'index', 1, 1);
    const { fingerprint, search } = await unwrapIndexKeys(provider, dek);
    const { key } = await unwrapDataKey(provider, dek);
    const expected = (purpose: string): Buffer =>
      Buffer.from(hkdfSync('sha256', copies[0] ?? '', '', `glovebox/${purpose}/1`, 32));
    expect(fingerprint.export()).to.deep.equal(expected('fingerprint'));
    expect(search.export()).to.deep.equal(expected('search'));
    expect(key.export()).to.deep.equal(expected('seal'));
  });

  const moved: readonly (readonly [what: string, change: Partial<StoredDek>])[] = [
    ['tenant', { tenantId: 'b' }],
    ['tenant whose name continues', { tenantId: 'aa' }],
    ['kind', { kind: 'index' }],
    ['version', { version: 2 }],
    ['version whose number continues', { version: 11 }],
    ['row format', { rowFormat: 2 }],
  ];
  for (const [what, change] of moved) {
    it(`do not unwrap under another ${what}`, async () => {
      const { provider } = watchedProvider();
      const dek = { ...(await newDek(provider, 'a', 'data', 1, 1)), ...change };
      expect(await errorOf(unwrapDataKey(provider, dek))).to.be.instanceOf(IntegrityViolation);
      expect(await errorOf(unwrapIndexKeys(provider, dek))).to.be.instanceOf(IntegrityViolation);
    });
  }

  it('do not unwrap as of the row format that accepts rows without a tag, once they are wrapped for the other', async () => {
    const { provider } = watchedProvider();
    const first = await newDek(provider, 'a', 'data', 1, 1);
    const later = await rewrapDek(provider, first, 2);
    expect(
      (await unwrapDataKey(provider, later)).key.equals((await unwrapDataKey(provider, first)).key),
    ).to.equal(true);
    for (const rowFormat of [1, 3] as const) {
      const downgraded = { ...later, rowFormat: rowFormat as 1 };
      expect(await errorOf(unwrapDataKey(provider, downgraded))).to.be.instanceOf(IntegrityViolation);
    }
  });

  it('do not unwrap when any byte of them is changed', async () => {
    const { provider } = watchedProvider();
    const dek = await newDek(provider, 'a', 'data', 1, 1);
    for (let at = 0; at < dek.wrapped.length; at += 1) {
      const wrapped = Buffer.from(dek.wrapped);
      wrapped[at] = (wrapped[at] ?? 0) ^ 0x04;
      expect(await errorOf(unwrapDataKey(provider, { ...dek, wrapped }))).to.be.instanceOf(
        IntegrityViolation,
      );
    }
  });
});
