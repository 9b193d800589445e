import { expect } from 'chai';
import fc from 'fast-check';

import { generateApiKey, generateProxyKey, hashKey, isPlausibleApiKey } from './api-key.ts';

describe('keys', () => {
  it('are base58 of the documented shape, and plausible', () => {
    for (let i = 0; i < 500; i += 1) {
      expect(generateApiKey()).to.match(/^key_[1-9A-HJ-NP-Za-km-z]{22}$/);
      expect(generateProxyKey()).to.match(/^[1-9A-HJ-NP-Za-km-z]{22}$/);
    }
    expect(isPlausibleApiKey(generateApiKey())).to.equal(true);
  });

  it('do not repeat', () => {
    const keys = Array.from({ length: 5000 }, generateProxyKey);
    expect(new Set(keys).size).to.equal(keys.length);
  });

  it('use every character of the alphabet about equally often', () => {
    const counts = new Map<string, number>();
    const keys = 4000;
    for (let i = 0; i < keys; i += 1) {
      for (const character of generateProxyKey()) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).to.equal(58);
    const expected = (keys * 22) / 58;
    // 8 standard deviations: fails by chance less than once in 10^13 runs.
    const slack = 8 * Math.sqrt(expected);
    for (const [character, count] of counts) expect(count, character).to.be.closeTo(expected, slack);
  });

  it('are hashed with SHA-256', () => {
    expect(hashKey('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    fc.assert(fc.property(fc.string(), (text) => /^[0-9a-f]{64}$/.test(hashKey(text))));
  });
});

describe('isPlausibleApiKey', () => {
  for (const text of ['key_1', 'key_us_test_private_4WBC', 'a', 'x'.repeat(100)]) {
    it(`accepts ${text}`, () => expect(isPlausibleApiKey(text)).to.equal(true));
  }
  for (const text of ['', ' key_1', 'key_1\n', 'key-1', 'key_1*', 'kéy', 'key_1,key_2', 'x'.repeat(101)]) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(isPlausibleApiKey(text)).to.equal(false));
  }
});
