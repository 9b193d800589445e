import { LeakPatterns } from '@glovebox/platform/redaction/leak-patterns';
import { LeakSearch } from '@glovebox/platform/redaction/leak-search';
import { expect } from 'chai';

import { maskJson } from './mask-json.ts';

const pan = '4242424242424242';
const masked = (text: string, ...values: string[]) => {
  const patterns = new LeakPatterns(values);
  const bytes = Buffer.from(text);
  return maskJson(bytes, new LeakSearch(patterns).push(bytes), patterns)?.toString();
};

describe('JSON with values that are masked', () => {
  it('has as many asterisks in its texts and names, and every other byte as it was', () => {
    expect(masked(`{ "a": "<${pan}>",  "${pan}": 1.0 }`, pan)).to.equal(
      `{ "a": "<${'*'.repeat(16)}>",  "${'*'.repeat(16)}": 1.0 }`,
    );
  });

  it('has texts in place of numbers, and other numbers in their own digits', () => {
    const text = `{"a":${pan},"b":[1.10,12345678901234567890,{"${pan}":null}],"c":"-${pan}"}`;
    expect(masked(text, pan)).to.equal(
      `{"a":"${'*'.repeat(16)}","b":[1.10,12345678901234567890,{"${'*'.repeat(16)}":null}],"c":"-${'*'.repeat(16)}"}`,
    );
  });

  it('is none where a value goes through its structure', () => {
    expect(masked('{"secret":"value"}', 'secret":"value')).to.equal(undefined);
  });
});
