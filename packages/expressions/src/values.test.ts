import { expect } from 'chai';
import fc from 'fast-check';

import { Values } from './values.ts';

const textOf = (json: string): string => new Values([json]).at(0).text;

describe('Values', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['"a b"', 'a b'],
    [String.raw`"\u00e9\n"`, 'é\n'],
    ['null', ''],
    [' true ', 'true'],
    ['\n12e3\t', '12e3'],
    ['123456789012345678901', '123456789012345678901'],
    ['{ "a" : [ 1 , " \\" x " ] }', '{"a":[1," \\" x "]}'],
    ['{"a b":"c\\\\", "d" :"e f"}', '{"a b":"c\\\\","d":"e f"}'],
  ];
  for (const [json, text] of cases) {
    it(`put ${JSON.stringify(json)} into text as ${JSON.stringify(text)}`, () =>
      expect(textOf(json)).to.equal(text));
  }

  it('are compact JSON in text, whatever their layout was', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue()), fc.object({ maxDepth: 2 })),
        fc.constantFrom(0, 2, '\t'),
        (value, indent) => {
          const json = JSON.stringify(value, null, indent);
          expect(textOf(json)).to.equal(JSON.stringify(value));
        },
      ),
    );
  });

  it('keep the JSON text as it came', () => {
    expect(new Values(['1', ' [ ]']).at(1).json).to.equal(' [ ]');
  });

  it('are spelled once, however often they occur in a body', () => {
    const value = new Values([JSON.stringify('a "b" & é')]).at(0);
    for (const spelling of ['json', 'text', 'string', 'form'] as const)
      expect(value.spelled(spelling)).to.equal(value.spelled(spelling));
    expect(value.spelled('string').toString()).to.equal(String.raw`a \"b\" & é`);
  });

  it('are spelled in a form as URLSearchParams does it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const spelled = new Values([JSON.stringify(text)]).at(0).spelled('form').toString();
        expect(`=${spelled}`).to.equal(new URLSearchParams([['', text]]).toString());
      }),
    );
  });

  it('are checked without being built: names that all differ take no longer than others', () => {
    const objects = (name: (at: number) => string) =>
      JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ [name(at)]: 1 })));
    const [alike, different] = [objects(() => 'name1'), objects((at) => `n${1000 + at}`)];
    expect(quickest(() => new Values([different]))).to.be.lessThan(4 * quickest(() => new Values([alike])));
  });

  it('are refused when they are no JSON', () => {
    for (const json of ['', 'undefined', '1,2', '"a"}', '{"a":1}{', '\uFEFF1'])
      expect(() => new Values([json])).to.throw(TypeError);
    expect(() => new Values([]).at(0)).to.throw(TypeError);
  });
});

/** Milliseconds of the quickest of five attempts: what else the machine does only adds to them. */
function quickest(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const began = performance.now();
    work();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}
