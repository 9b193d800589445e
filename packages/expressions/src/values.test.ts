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

  it('are refused when they are no JSON', () => {
    for (const json of ['', 'undefined', '1,2', '"a"}', '{"a":1}{', '\uFEFF1'])
      expect(() => new Values([json])).to.throw(TypeError);
    expect(() => new Values([]).at(0)).to.throw(TypeError);
  });
});
