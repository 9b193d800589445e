import { createSecretKey, randomBytes } from 'node:crypto';

import { expect } from 'chai';

import { type TaggedValue, isTagOf, tagOf } from './row-tag.ts';

describe('the tag of a row', () => {
  const key = createSecretKey(randomBytes(32));
  const values: readonly TaggedValue[] = ['tenant', 'id', '', null, '{"a":1}', '7'];
  const tag = tagOf(key, 'label', values);

  it('is that of its values, and of no others', () => {
    expect(isTagOf(tag, key, 'label', values)).to.equal(true);
    const others: Readonly<Record<string, readonly TaggedValue[]>> = {
      'a changed value': values.with(1, 'ie'),
      'two values in each other’s place': values.with(0, 'id').with(1, 'tenant'),
      'a boundary that moves': values.with(0, 'tenan').with(1, 'tid'),
      'an empty text for nothing': values.with(3, ''),
      'nothing for an empty text': values.with(2, null),
      'the word for nothing': values.with(3, 'null'),
      'one value less': values.slice(0, -1),
      'one value more': [...values, null],
      'text that continues the list': values.with(5, '7","8'),
    };
    for (const [what, other] of Object.entries(others)) {
      expect(isTagOf(tag, key, 'label', other), what).to.equal(false);
    }
    expect(isTagOf(tag, key, 'other', values)).to.equal(false);
    expect(isTagOf(tag, createSecretKey(randomBytes(32)), 'label', values)).to.equal(false);
  });

  it('is refused with any bit changed, and cut or continued', () => {
    for (let bit = 0; bit < tag.length * 8; bit += 1) {
      const changed = Buffer.from(tag);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(isTagOf(changed, key, 'label', values), `bit ${bit}`).to.equal(false);
    }
    for (const other of [tag.subarray(1), Buffer.alloc(0), Buffer.concat([tag, tag])]) {
      expect(isTagOf(other, key, 'label', values)).to.equal(false);
    }
  });
});
