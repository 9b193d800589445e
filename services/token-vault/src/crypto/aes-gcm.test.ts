import { createCipheriv, createSecretKey } from 'node:crypto';

import { expect } from 'chai';

import { decrypt, encrypt, nonceBytes, overheadBytes } from './aes-gcm.ts';
import { IntegrityViolation } from './integrity-violation.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const aad = Buffer.from('place');
const header = new Uint8Array();

describe('AES-256-GCM', () => {
  it('decrypts what a textbook AES-256-GCM has encrypted', () => {
    // The GCM specification's test case 16.
    const theirKey = createSecretKey(
      Buffer.from('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308', 'hex'),
    );
    const sealed = Buffer.from(
      'cafebabefacedbaddecaf888' +
        '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662' +
        '76fc6ece0f4e1768cddf8853bb2d551b',
      'hex',
    );
    const plaintext =
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39';
    const theirAad = Buffer.from('feedfacedeadbeeffeedfacedeadbeefabaddad2', 'hex');
    expect(decrypt(theirKey, theirAad, sealed).toString('hex')).to.equal(plaintext);
  });

  it('never uses a nonce twice', () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 5000; i += 1) {
      nonces.add(encrypt(key, aad, Buffer.from('x'), header).toString('hex', 0, nonceBytes));
    }
    expect(nonces.size).to.equal(5000);
  });

  it('adds 28 bytes and keeps the header in front', () => {
    const sealed = encrypt(key, aad, Buffer.from('abc'), Buffer.from([9, 9]));
    expect(sealed.length).to.equal(2 + overheadBytes + 3);
    expect([...sealed.subarray(0, 2)]).to.deep.equal([9, 9]);
  });

  it('refuses a tag of fewer than 16 bytes, which a forger would prefer', () => {
    for (const authTagLength of [4, 8, 12, 15]) {
      const nonce = Buffer.alloc(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength });
      cipher.setAAD(aad);
      const body = Buffer.concat([cipher.update('some plaintext, long enough'), cipher.final()]);
      const sealed = Buffer.concat([nonce, body, cipher.getAuthTag()]);
      expect(() => decrypt(key, aad, sealed), String(authTagLength)).to.throw(IntegrityViolation);
    }
  });

  it('finds every changed bit of nonce, ciphertext and tag', () => {
    const sealed = encrypt(key, aad, Buffer.from('some plaintext'), header);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decrypt(key, aad, changed), `bit ${String(bit)}`).to.throw(IntegrityViolation);
    }
  });

  it('finds every changed bit of the associated data, and every other length of it', () => {
    const sealed = encrypt(key, aad, Buffer.from('some plaintext'), header);
    for (let bit = 0; bit < aad.length * 8; bit += 1) {
      const changed = Buffer.from(aad);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decrypt(key, changed, sealed), `bit ${String(bit)}`).to.throw(IntegrityViolation);
    }
    for (const other of [aad.subarray(1), Buffer.alloc(0), Buffer.concat([aad, Buffer.alloc(1)])]) {
      expect(() => decrypt(key, other, sealed)).to.throw(IntegrityViolation);
    }
  });

  it('refuses what is too short to hold a nonce and a tag', () => {
    for (let length = 0; length < overheadBytes; length += 1) {
      expect(() => decrypt(key, aad, Buffer.alloc(length))).to.throw(IntegrityViolation);
    }
  });
});
