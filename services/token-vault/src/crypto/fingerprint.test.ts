import { createSecretKey } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import { fingerprint } from './fingerprint.ts';

const key = createSecretKey(Buffer.alloc(32, 1));
const otherTenantsKey = createSecretKey(Buffer.alloc(32, 2));

describe('fingerprint', () => {
  it('stays what it is: stored fingerprints depend on every byte of it', () => {
    expect(fingerprint(key, 'card', '4242424242424242')).to.equal(
      'D3j4v1w3G6j1gyhQRHLLLe62XEcTzLg9opKB5SFsJ1SG',
    );
    expect(fingerprint(key, 'token', '')).to.equal('8N9Ud7PF6ug85Rc32LVyrkrLDdivHyHFLBR9sxX71Btb');
  });

  it('is the same for the same value', () => {
    expect(fingerprint(key, 'card', 'x')).to.equal(fingerprint(key, 'card', 'x'));
  });

  it('differs between tenants, token types and values', () => {
    const all = [
      fingerprint(key, 'card', 'x'),
      fingerprint(otherTenantsKey, 'card', 'x'),
      fingerprint(key, 'card_number', 'x'),
      fingerprint(key, 'card', 'X'),
      fingerprint(key, 'car', 'dx'),
      fingerprint(key, 'card', ''),
    ];
    expect(new Set(all).size).to.equal(all.length);
  });

  it('is letters and digits, 32 to 44 of them, for any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fingerprint(key, 'token', text)).to.match(/^[A-Za-z0-9]{32,44}$/);
      }),
    );
  });

  it('exists even for text that UTF-8 cannot hold', () => {
    expect(fingerprint(key, 'token', '\ud800')).to.have.length.within(32, 44);
  });

  it('shows nothing of the value', () => {
    expect(fingerprint(key, 'card_number', '4242424242424242')).not.to.include('4242');
  });
});
