import { createSecretKey, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

import { expect } from 'chai';
import fc from 'fast-check';

import { keyVersionOf, maxPlaintextBytes, open, seal, type Binding, type SealingKey } from './envelope.ts';
import { IntegrityViolation } from './integrity-violation.ts';

const keyMaterial = Buffer.alloc(32, 1);
const sealingKey: SealingKey = {
  version: 3,
  key: createSecretKey(keyMaterial),
  spend: () => undefined,
};
const binding: Binding = { tenantId: 'tenant-a', recordId: 'token-1', field: 'data' };
const plaintext = Buffer.from('{"number":"4242424242424242"}');

describe('envelope', () => {
  it('opens to what was sealed, whatever the bytes and the place', () => {
    const place = fc.record({
      tenantId: fc.string({ unit: 'grapheme' }),
      recordId: fc.string({ unit: 'grapheme' }),
      field: fc.string({ unit: 'grapheme' }),
    });
    const bytes = fc.uint8Array({ maxLength: 3000 });
    fc.assert(
      fc.property(place, bytes, fc.integer({ min: 1, max: 0xffff_ffff }), (where, value, version) => {
        const key = { ...sealingKey, version };
        expect(open(key, where, seal(key, where, value))).to.deep.equal(Buffer.from(value));
      }),
    );
  });

  it('says which version of the key opens it', () => {
    for (const version of [1, 255, 65536, 0xffff_ffff]) {
      expect(keyVersionOf(seal({ ...sealingKey, version }, binding, plaintext))).to.equal(version);
    }
  });

  it('is laid out as its documentation says', () => {
    const envelope = seal(sealingKey, binding, plaintext);
    expect(envelope.length).to.equal(1 + 4 + 12 + plaintext.length + 16);
    expect(envelope.toString('hex', 0, 5)).to.equal('0100000003');
  });

  it('never looks the same twice', () => {
    expect(seal(sealingKey, binding, plaintext).equals(seal(sealingKey, binding, plaintext))).to.equal(false);
  });

  it('opens from a slice of a larger buffer, as a database driver hands it over', () => {
    const envelope = seal(sealingKey, binding, plaintext);
    const slice = Buffer.concat([randomBytes(11), envelope, randomBytes(7)]).subarray(
      11,
      11 + envelope.length,
    );
    expect(open(sealingKey, binding, slice)).to.deep.equal(plaintext);
  });

  it('seals an empty value and one of the greatest size, and refuses one byte more', () => {
    const largest = Buffer.alloc(maxPlaintextBytes, 5);
    expect(open(sealingKey, binding, seal(sealingKey, binding, Buffer.alloc(0))).length).to.equal(0);
    expect(open(sealingKey, binding, seal(sealingKey, binding, largest)).equals(largest)).to.equal(true);
    expect(() => seal(sealingKey, binding, Buffer.alloc(maxPlaintextBytes + 1)))
      .to.throw()
      .with.property('code', 'too_large');
  });

  it('holds no part of the plaintext', () => {
    expect(seal(sealingKey, binding, plaintext).includes('4242')).to.equal(false);
  });
});

describe('a tampered envelope', () => {
  it('gives the one error for every byte that is changed in any way', () => {
    const envelope = seal(sealingKey, binding, plaintext);
    for (let at = 0; at < envelope.length; at += 1) {
      for (const mask of [0x01, 0x80, 0xff]) {
        const changed = Buffer.from(envelope);
        changed[at] = (changed[at] ?? 0) ^ mask;
        expectTheOneError(() => open(sealingKey, binding, changed));
      }
    }
  });

  it('gives the one error at every length to which it is cut', () => {
    const envelope = seal(sealingKey, binding, plaintext);
    for (let length = 0; length < envelope.length; length += 1) {
      expectTheOneError(() => open(sealingKey, binding, envelope.subarray(0, length)));
      expectTheOneError(() => open(sealingKey, binding, envelope.subarray(envelope.length - length)));
    }
  });

  it('gives the one error when anything is added', () => {
    const envelope = seal(sealingKey, binding, plaintext);
    for (const extra of [Buffer.from([0]), randomBytes(16), envelope]) {
      expectTheOneError(() => open(sealingKey, binding, Buffer.concat([envelope, extra])));
      expectTheOneError(() => open(sealingKey, binding, Buffer.concat([extra, envelope])));
    }
  });

  it('gives the one error for any other bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expectTheOneError(() => open(sealingKey, binding, bytes));
      }),
    );
  });

  it('is refused before it is read when it is larger than any envelope', () => {
    const huge = Buffer.alloc(maxPlaintextBytes + 1000);
    huge[0] = 1;
    expectTheOneError(() => keyVersionOf(huge));
  });
});

describe('an envelope in another place', () => {
  const elsewhere: readonly (readonly [what: string, binding: Binding])[] = [
    ['tenant', { ...binding, tenantId: 'tenant-b' }],
    ['record', { ...binding, recordId: 'token-2' }],
    ['field', { ...binding, field: 'mask' }],
    ['tenant and record exchanged', { ...binding, tenantId: 'token-1', recordId: 'tenant-a' }],
    ['boundary between tenant and record', { ...binding, tenantId: 'tenant-', recordId: 'atoken-1' }],
    ['boundary between record and field', { ...binding, recordId: 'token-1d', field: 'ata' }],
    ['empty record', { ...binding, recordId: '' }],
  ];
  for (const [what, where] of elsewhere) {
    it(`does not open under another ${what}`, () => {
      const envelope = seal(sealingKey, binding, plaintext);
      expectTheOneError(() => open(sealingKey, where, envelope));
    });
  }

  it('does not open for any two places that differ', () => {
    const place = fc.record({
      tenantId: fc.string({ maxLength: 4 }),
      recordId: fc.string({ maxLength: 4 }),
      field: fc.string({ maxLength: 4 }),
    });
    fc.assert(
      fc.property(place, place, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expectTheOneError(() => open(sealingKey, other, seal(sealingKey, one, plaintext)));
      }),
    );
  });
});

describe('an envelope under another key', () => {
  it('does not open under a wrong key of the right version', () => {
    const wrong = { version: 3, key: createSecretKey(Buffer.alloc(32, 2)) };
    expectTheOneError(() => open(wrong, binding, seal(sealingKey, binding, plaintext)));
  });

  it('does not open when it names another version, even if the key is the same', () => {
    const envelope = seal(sealingKey, binding, plaintext);
    expectTheOneError(() => open({ ...sealingKey, version: 4 }, binding, envelope));
    envelope.writeUInt32BE(4, 1);
    expectTheOneError(() => open({ ...sealingKey, version: 4 }, binding, envelope));
  });

  it('has versions from 1 only', () => {
    for (const version of [0, -1, 1.5]) {
      expect(() => seal({ ...sealingKey, version }, binding, plaintext)).to.throw();
    }
  });
});

describe('a sealing key', () => {
  it('shows nothing of itself when it is printed', () => {
    const printed = `${inspect(sealingKey, { depth: 9, showHidden: true })} ${JSON.stringify(sealingKey)}`;
    expect(printed).not.to.include(keyMaterial.toString('base64'));
    expect(printed).not.to.include(keyMaterial.toString('hex'));
    expect(printed).not.to.match(/01 01 01/);
  });
});

/** Everything that a caller or a log could see of the error must be the same whatever the reason. */
function expectTheOneError(action: () => unknown): void {
  let thrown: unknown;
  try {
    action();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).to.be.instanceOf(IntegrityViolation);
  if (!(thrown instanceof IntegrityViolation)) return;
  expect({
    ...Object.fromEntries(Object.entries(thrown)),
    message: thrown.message,
    cause: thrown.cause,
  }).to.deep.equal({
    code: 'integrity_violation',
    errors: {},
    title: undefined,
    retryAfterSeconds: undefined,
    fixed: false,
    name: 'AppError',
    message: 'Stored data does not authenticate, so it is not used.',
    tokenId: null,
    cause: undefined,
  });
}
