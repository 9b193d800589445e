import { expect } from 'chai';
import fc from 'fast-check';

import { lengthPrefixed } from './length-prefixed.ts';

describe('lengthPrefixed', () => {
  it('counts bytes, not characters', () => {
    expect(lengthPrefixed('é', '').toString('hex')).to.equal('00000002c3a900000000');
  });

  it('can be read back, so that different texts never become the same bytes', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 6 });
    fc.assert(
      fc.property(texts, (parts) => {
        expect(readBack(lengthPrefixed(...parts))).to.deep.equal(parts);
      }),
    );
  });

  it('tells apart what a separator would not', () => {
    for (const separator of ['', '|', '/', '\0']) {
      const one = lengthPrefixed(`a${separator}b`, 'c');
      const other = lengthPrefixed('a', `b${separator}c`);
      expect(one.equals(other), JSON.stringify(separator)).to.equal(false);
    }
  });

  it('refuses half a surrogate pair, since all of them look the same in UTF-8', () => {
    for (const text of ['\ud800', 'a\udfff', '\udc00\ud800']) {
      expect(() => lengthPrefixed('ok', text)).to.throw(TypeError);
    }
  });
});

function readBack(bytes: Buffer): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at);
    parts.push(bytes.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return parts;
}
