import { expect } from 'chai';
import fc from 'fast-check';

import { base58 } from './base58.ts';

/** Draft-msporny-base58, section 5, and the same alphabet's well-known zero-prefix case. */
const vectors: readonly (readonly [hex: string, text: string])[] = [
  ['', ''],
  ['00', '1'],
  ['48656c6c6f20576f726c6421', '2NEpo7TZRRrLZSi2U'],
  ['0000287fb4cd', '11233QC4'],
  ['ff', '5Q'],
];

describe('base58', () => {
  for (const [hex, text] of vectors) {
    it(`writes ${hex || 'nothing'} as ${text || 'nothing'}`, () => {
      expect(base58(Buffer.from(hex, 'hex'))).to.equal(text);
    });
  }

  it('can be read back, so that different bytes never look the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(decode(base58(bytes))).to.deep.equal(Buffer.from(bytes));
      }),
    );
  });
});

function decode(text: string): Buffer {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let value = 0n;
  for (const character of text) value = value * 58n + BigInt(alphabet.indexOf(character));
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const hex = value === 0n ? '' : value.toString(16);
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')]);
}
