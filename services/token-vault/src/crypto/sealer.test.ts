import { createSecretKey, randomBytes } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import { decrypt, encrypt } from './aes-gcm.ts';
import type { StoredDek } from './dek-store.ts';
import type { Binding } from './envelope.ts';
import { IntegrityViolation } from './integrity-violation.ts';
import { Keyring } from './keyring.ts';
import { Sealer } from './sealer.ts';

const binding: Binding = { tenantId: 'a', recordId: 'token-1', field: 'data' };

/** A vault whose rows the test can reach as an attacker with the database can. */
function fixture(): { sealer: Sealer; restarted: () => Sealer; rows: Map<string, StoredDek> } {
  const wrappingKey = createSecretKey(randomBytes(32));
  const rows = new Map<string, StoredDek>();
  const name = (tenantId: string, kind: string, version: number): string =>
    `${tenantId} ${kind} ${String(version)}`;
  const parts = {
    provider: {
      currentKeyId: 'kek',
      wrap: async (dataKey: Uint8Array, aad: Uint8Array) => ({
        keyId: 'kek',
        wrapped: encrypt(wrappingKey, aad, dataKey, new Uint8Array()),
      }),
      unwrap: async (_keyId: string, wrapped: Uint8Array, aad: Uint8Array) =>
        decrypt(wrappingKey, aad, wrapped),
    },
    store: {
      get: async (tenantId: string, kind: string, version: number) => rows.get(name(tenantId, kind, version)),
      current: async (tenantId: string, kind: string) => rows.get(name(tenantId, kind, 1)),
      indexVersions: async () => undefined,
      ageOfIndexKey: async () => 0,
      reserveSeals: async () => 0,
      startsWithTags: async () => true,
      insertIfAbsent: async (dek: StoredDek) => {
        rows.set(name(dek.tenantId, dek.kind, dek.version), dek);
      },
    },
  };
  const restarted = (): Sealer => new Sealer(new Keyring(parts));
  return { sealer: restarted(), restarted, rows };
}

async function errorOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('sealer', () => {
  it('opens to what was sealed, for any place and value, also after a restart', async () => {
    const { sealer, restarted } = fixture();
    const place = fc.record({
      tenantId: fc.uuid(),
      recordId: fc.string({ unit: 'grapheme', minLength: 1 }),
      field: fc.constantFrom('data', 'configuration'),
    });
    await fc.assert(
      fc.asyncProperty(place, fc.uint8Array({ maxLength: 200 }), async (where, value) => {
        const sealed = await sealer.seal(where, value);
        expect(await restarted().open(where, sealed)).to.deep.equal(Buffer.from(value));
      }),
    );
  });

  it("does not open one tenant's value as another's, whatever the database says", async () => {
    const { sealer } = fixture();
    const sealed = await sealer.seal(binding, Buffer.from('x'));
    await sealer.seal({ ...binding, tenantId: 'b' }, Buffer.from('y'));
    expect(await errorOf(sealer.open({ ...binding, tenantId: 'b' }, sealed))).to.be.instanceOf(
      IntegrityViolation,
    );
  });

  it("does not open one tenant's value with its key copied to another tenant", async () => {
    const { sealer, restarted, rows } = fixture();
    const sealed = await sealer.seal(binding, Buffer.from('x'));
    const dek = rows.get('a data 1');
    if (!dek) throw new Error('no key was stored');
    rows.set('b data 1', dek).set('c data 1', { ...dek, tenantId: 'c' });
    for (const tenantId of ['b', 'c']) {
      const moved = { ...binding, tenantId };
      expect(await errorOf(restarted().open(moved, sealed))).to.be.instanceOf(IntegrityViolation);
    }
  });

  it('does not open two rows that were exchanged', async () => {
    const { sealer } = fixture();
    const other = { ...binding, recordId: 'token-2' };
    const [one, two] = [
      await sealer.seal(binding, Buffer.from('1')),
      await sealer.seal(other, Buffer.from('2')),
    ];
    expect(await errorOf(sealer.open(binding, two))).to.be.instanceOf(IntegrityViolation);
    expect(await errorOf(sealer.open(other, one))).to.be.instanceOf(IntegrityViolation);
  });

  it('gives the one error for a version that does not exist, and makes no key for it', async () => {
    const { sealer, rows } = fixture();
    const sealed = await sealer.seal(binding, Buffer.from('x'));
    sealed.writeUInt32BE(9, 1);
    expect(await errorOf(sealer.open(binding, sealed))).to.be.instanceOf(IntegrityViolation);
    expect([...rows.keys()]).to.deep.equal(['a data 1']);
  });

  it('makes no key for a tenant that has sealed nothing', async () => {
    const { sealer, rows } = fixture();
    const sealed = await sealer.seal(binding, Buffer.from('x'));
    expect(await errorOf(sealer.open({ ...binding, tenantId: 'z' }, sealed))).to.be.instanceOf(
      IntegrityViolation,
    );
    expect([...rows.keys()]).to.deep.equal(['a data 1']);
  });

  it('refuses bytes that are no envelope without asking for a key', async () => {
    const { sealer, rows } = fixture();
    for (const bytes of [Buffer.alloc(0), Buffer.from('plain text, never sealed, of some length')]) {
      expect(await errorOf(sealer.open(binding, bytes))).to.be.instanceOf(IntegrityViolation);
    }
    expect(rows.size).to.equal(0);
  });

  it('seals many values at once under one first key', async () => {
    const { sealer, rows } = fixture();
    const values = Array.from({ length: 100 }, (_, index) => String(index));
    const sealed = await Promise.all(values.map((value) => sealer.seal(binding, Buffer.from(value))));
    expect(rows.size).to.equal(1);
    const opened = await Promise.all(sealed.map((envelope) => sealer.open(binding, envelope)));
    expect(opened.map(String)).to.deep.equal(values);
  });
});
