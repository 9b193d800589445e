import { expect } from 'chai';

import { unstorableText } from './unstorable-text.ts';

const problemsOf = (text: string) => Object.keys(unstorableText(text, JSON.parse(text)) ?? {});

describe('unstorableText', () => {
  it('names each string that the database could not hold as it is', () => {
    expect(problemsOf(String.raw`{"a":"\u0000","b":[{"c":"x"},{"c":"\ud800"}],"d":"\udc00x"}`)).to.deep.equal(
      ['a', 'b[1].c', 'd'],
    );
  });

  it('names the object whose property has such a name', () => {
    expect(problemsOf(String.raw`{"a":{"\u0000":1}}`)).to.deep.equal(['a']);
    expect(problemsOf(String.raw`{"\u0000":1}`)).to.deep.equal(['body']);
  });

  it('lets whole pairs, other escapes and escaped backslashes be', () => {
    expect(problemsOf(String.raw`{"a":"\ud83d\ude00","b":"\u0001","c":"\\u0000"}`)).to.deep.equal([]);
  });
});
