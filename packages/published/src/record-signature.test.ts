import { expect } from 'chai';

import { createTestPublication, testPublication } from '../../../test/harness/test-publication.ts';
import { decodeRecord, encodeRecord } from './codec.ts';
import { applicationRecord, redisNames, tenantRecord } from './keys.ts';
import { signMarker, verifyMarker } from './marker.ts';
import { RefusedRecord, verifyValue } from './record-signature.ts';

const names = redisNames('test');
const key = names.record(applicationRecord('ab12'));
const record = (tenantId: string, version = 7) => {
  const value = {
    id: 'a',
    tenantId,
    type: 'private',
    permissions: ['token:use'],
    rules: [],
    session: undefined,
  };
  return { version, record: { $case: 'application' as const, value } };
};
const { publicKeys } = testPublication;

const isAccepted = (at: string, stored: Uint8Array) =>
  verifyValue(publicKeys, at, stored).then(
    () => true,
    (error: unknown) => {
      expect(error).to.be.instanceOf(RefusedRecord);
      return false;
    },
  );

describe('a signed record', () => {
  it('is given as it was published, with its sequence', async () => {
    const { value, sequence } = await verifyValue(
      publicKeys,
      key,
      await testPublication.signed(key, record('t'), 5),
    );
    expect(Buffer.from(value)).to.deep.equal(encodeRecord(record('t')));
    expect(sequence).to.equal(5);
  });

  it('reads as before for a release that knows no signatures', async () => {
    const stored = await testPublication.signed(key, record('t'));
    expect(decodeRecord(stored)).to.deep.equal(decodeRecord(encodeRecord(record('t'))));
  });

  it('is refused with any of its bytes changed, cut off or added', async () => {
    const stored = await testPublication.signed(key, record('t'));
    for (let position = 0; position < stored.length; position += 1) {
      const changed = Buffer.from(stored);
      changed[position]! ^= 1 << (position % 8);
      expect(await isAccepted(key, changed), `byte ${position}`).to.equal(false);
    }
    for (const length of [0, 1, 10, stored.length - 1])
      expect(await isAccepted(key, stored.subarray(0, length))).to.equal(false);
    expect(await isAccepted(key, Buffer.concat([stored, Buffer.from([0])]))).to.equal(false);
  });

  it('is refused at the place of another key, kind or installation, and with parts of another record', async () => {
    const stored = await testPublication.signed(key, record('t'));
    for (const place of [
      names.record(applicationRecord('ab13')),
      names.record(tenantRecord('ab12')),
      names.session(applicationRecord('ab12')),
      redisNames('other').record(applicationRecord('ab12')),
    ]) {
      expect(await isAccepted(place, stored), place).to.equal(false);
    }
    const others = [record('u'), record('t', 8)];
    for (const other of others) {
      const foreign = await testPublication.signed(key, other);
      const mixed = Buffer.concat([foreign.subarray(0, -87), stored.subarray(-87)]);
      expect(await isAccepted(key, foreign)).to.equal(true);
      expect(await isAccepted(key, mixed)).to.equal(false);
    }
  });

  it('is refused when another key has signed it, and accepted by each of several public keys', async () => {
    const other = createTestPublication();
    const stored = await other.signed(key, record('t'));
    expect(await isAccepted(key, stored)).to.equal(false);
    const both = new Map([...publicKeys, ...other.publicKeys]);
    for (const publication of [testPublication, other]) {
      const { value } = await verifyValue(both, key, await publication.signed(key, record('t')));
      expect(Buffer.from(value)).to.deep.equal(encodeRecord(record('t')));
    }
  });
});

describe('a signed marker', () => {
  const marker = {
    installationId: '00000000-0000-4000-8000-000000000001',
    lastEntry: 4,
    sequence: 1_700_000_000_000,
    floor: 3,
    floorEntry: 2,
    signedAt: 1_700_000_000_001,
  };

  it('is refused with any of its characters changed, and under another name', async () => {
    const text = await signMarker(testPublication.signing, names.signedMarker, marker);
    expect(await verifyMarker(publicKeys, names.signedMarker, text)).to.deep.equal(marker);
    expect(await verifyMarker(publicKeys, redisNames('other').signedMarker, text)).to.equal(undefined);
    for (let position = 0; position < text.length; position += 1) {
      const other = text[position] === '1' ? '2' : '1';
      const changed = text.slice(0, position) + other + text.slice(position + 1);
      expect(await verifyMarker(publicKeys, names.signedMarker, changed), `at ${position}`).to.equal(
        undefined,
      );
    }
  });
});
