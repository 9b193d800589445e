import { expect } from 'chai';
import fc from 'fast-check';

import { base64Offsets, spellingLengths, writeBase64Head, writeHexHead } from './number-samples.ts';
import { spellingsOf } from './spellings.ts';

const numbers = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 6, maxLength: 40 });

describe('the spellings of a number that are not made', () => {
  it('begin and end as those that are', () => {
    fc.assert(
      fc.property(numbers, (value) => {
        const { plain, base64 } = spellingsOf(value);
        const texts = [...plain, ...base64];
        expect(spellingLengths(value.length)).to.deep.equal(texts.map(({ length }) => length));
        const most = Math.min(...texts.map(({ length }) => length));
        const heads = ['hex' as const, ...base64Offsets].map((kind) => {
          const head = Buffer.alloc(most);
          if (kind === 'hex') writeHexHead(value, head, most);
          else writeBase64Head(value, kind, head, most);
          return head.toString('latin1');
        });
        expect(heads).to.deep.equal(texts.map((text) => text.slice(0, most)));
      }),
    );
  });
});
