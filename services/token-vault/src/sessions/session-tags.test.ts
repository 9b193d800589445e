import { createSecretKey, randomBytes } from 'node:crypto';

import { encodeRecord } from '@glovebox/published/codec';
import { expect } from 'chai';

import { decrypt, encrypt } from '../crypto/aes-gcm.ts';
import type { StoredDek } from '../crypto/dek-store.ts';
import { IntegrityViolation } from '../crypto/integrity-violation.ts';
import { Keyring } from '../crypto/keyring.ts';
import { checkRecord, tagRecord } from './session-tags.ts';

const tenantId = '3f0c2a6f-9c1e-4d0a-8b77-77b0d0000000';
const place = 'glovebox:session:application:ab12';

/** The keys of every tenant, in memory. */
function memoryKeyring(): Keyring {
  const wrappingKey = createSecretKey(randomBytes(32));
  const deks: StoredDek[] = [];
  const of = (tenant: string, kind: string) =>
    deks.filter((dek) => dek.tenantId === tenant && dek.kind === kind);
  return new Keyring({
    provider: {
      currentKeyId: 'kek',
      wrap: async (bytes, aad) => ({
        keyId: 'kek',
        wrapped: encrypt(wrappingKey, aad, bytes, new Uint8Array()),
      }),
      unwrap: async (_id, wrapped, aad) => decrypt(wrappingKey, aad, wrapped),
    },
    store: {
      get: async (tenant, kind, version) => of(tenant, kind).find((dek) => dek.version === version),
      current: async (tenant, kind) => of(tenant, kind).at(-1),
      insertIfAbsent: async (dek) => void deks.push(dek),
      indexVersions: async () => undefined,
      ageOfIndexKey: async () => 0,
      reserveSeals: async () => 0,
      startsWithTags: async () => true,
    },
  });
}

const record = encodeRecord({
  version: 2,
  record: {
    $case: 'application',
    value: {
      id: '3f0c2a6f-9c1e-4d0a-8b77-77b0d0000001',
      tenantId,
      type: 'session',
      permissions: ['token:create'],
      rules: [],
      session: { expiresAt: 1_800_000_000_000, originIds: ['a'] },
    },
  },
});

describe('the tag of a session in Redis', () => {
  const keyring = memoryKeyring();
  const refusal = (at: string, stored: Buffer) =>
    checkRecord(keyring, at, stored).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('is accepted in its place, also after keys have rotated', async () => {
    const stored = await tagRecord(keyring, tenantId, place, record);
    expect(await refusal(place, stored)).to.equal(undefined);
    await keyring.rotate(tenantId);
    expect(await refusal(place, stored)).to.equal(undefined);
    const recent = await tagRecord(keyring, tenantId, place, record);
    expect(await refusal(place, recent)).to.equal(undefined);
    expect(recent.subarray(-38).equals(stored.subarray(-38))).to.equal(false);
  });

  it('is refused in another place, for every byte that is changed, and at every length', async () => {
    const stored = await tagRecord(keyring, tenantId, place, record);
    expect(await refusal(`${place}0`, stored)).to.be.instanceOf(IntegrityViolation);
    for (let at = 0; at < stored.length; at += 1) {
      const changed = Buffer.from(stored);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await refusal(place, changed), `byte ${at}`).to.be.instanceOf(IntegrityViolation);
      expect(await refusal(place, stored.subarray(0, at)), `length ${at}`).to.be.instanceOf(
        IntegrityViolation,
      );
    }
    expect(await refusal(place, record)).to.be.instanceOf(IntegrityViolation);
  });
});
