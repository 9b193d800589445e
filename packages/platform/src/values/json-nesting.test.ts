import { expect } from 'chai';

import { isNestedDeeper } from './json-nesting.ts';

const isDeeper = (text: string, maxDepth: number) => isNestedDeeper(Buffer.from(text), maxDepth);

describe('isNestedDeeper', () => {
  it('counts objects and arrays that are open at once', () => {
    for (const text of ['[[],[],{"a":[]}]', '{"a":{"b":[]},"c":[[]]}']) {
      expect(isDeeper(text, 3), text).to.equal(false);
      expect(isDeeper(text, 2), text).to.equal(true);
    }
  });

  it('passes over brackets in strings', () => {
    expect(isDeeper(String.raw`["[[{{", "\"[[", "\\", {"[[[": 1}]`, 2)).to.equal(false);
    expect(isDeeper(String.raw`["\\", [[]]]`, 2)).to.equal(true);
  });

  it('stops at the limit, however much follows', () => {
    expect(isDeeper('['.repeat(1_000_000), 1000)).to.equal(true);
  });
});
