import { expect } from 'chai';
import fc from 'fast-check';

import { ExpressionError } from './expression-error.ts';
import { scanJson } from './scan-json.ts';

/** The candidates, or the position of the error. */
function scan(text: string, maxDepth = 512): string[] | number {
  const body = Buffer.from(text);
  const candidates: string[] = [];
  try {
    scanJson(body, maxDepth, (start, end) => candidates.push(body.toString('utf8', start, end)));
    return candidates;
  } catch (error) {
    if (error instanceof ExpressionError && error.code === 'invalid_body') return error.position;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('scanJson', () => {
  const accepted = [
    ...['0', '-0', '1', '-10', '0.5', '1e5', '1E+5', '1.25e-10', '12345678901234567890123', '-0.0e-0'],
    ...['true', 'false', 'null', '""', '"a"', '[]', '{}', '[[],{}]', '{"":0}', '{"a":1,"a":2}'],
    ...[' \t\r\n1 \t\r\n', '[ 1 , 2 ]', '{ "a" : [ ] , "b" : { } }', '\n{\n"a"\n:\n1\n}\n'],
    ...['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD800"', '"é\u2028😀\u007f"', '"}}"', '"{"', '"{ {"'],
  ];
  for (const text of accepted) {
    it(`accepts ${JSON.stringify(text)}`, () => {
      expect(scan(text)).to.deep.equal([]);
      expect(parses(text)).to.equal(true);
    });
  }

  const refused: readonly (readonly [string, number])[] = [
    ['', 0],
    [' ', 1],
    ['+1', 0],
    ['01', 1],
    ['-', 1],
    ['.5', 0],
    ['1.', 2],
    ['1e', 2],
    ['1e+', 3],
    ['0x1', 1],
    ['NaN', 0],
    ['nul', 0],
    ['True', 0],
    ['truefalse', 4],
    ['1 2', 2],
    ["'a'", 0],
    ['"', 1],
    ['"a', 2],
    ['"\t"', 1],
    ['"\\x"', 1],
    ['"\\', 1],
    ['"\\u12"', 1],
    ['"\\u12G4"', 1],
    ['[', 1],
    ['[1', 2],
    ['[1,', 3],
    ['[1,]', 3],
    ['[,1]', 1],
    ['[1}', 2],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a":1', 6],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['{1:1}', 1],
    ['{"a":1]', 6],
    ['{,}', 1],
    [']', 0],
    ['[]]', 2],
    ['{}}', 2],
    ['// a\n1', 0],
    ['\uFEFF1', 0],
    ['\u00A01', 0],
    ['[1]\0', 3],
    ['[1]\v', 3],
  ];
  for (const [text, position] of refused) {
    it(`refuses ${JSON.stringify(text)} at byte ${position}`, () => {
      expect(scan(text)).to.equal(position);
      expect(parses(text)).to.equal(false);
    });
  }

  const candidates: readonly (readonly [string, readonly string[]])[] = [
    ['"{{a}}"', ['"{{a}}"']],
    ['["{{a}}","b",{"{{c}}":"{{d}}"}]', ['"{{a}}"', '"{{d}}"']],
    ['{"{{a}}":1,"{{b}}":"{c}"}', []],
    [String.raw`"\u007b\u007Ba}}"`, [String.raw`"\u007b\u007Ba}}"`]],
    [String.raw`"{\u007ba}}"`, [String.raw`"{\u007ba}}"`]],
    [String.raw`"\u007B{a}}"`, [String.raw`"\u007B{a}}"`]],
    [String.raw`"\\u007b{"`, []],
    [String.raw`"{\\{"`, []],
    [String.raw`"{\u007a{"`, []],
    [String.raw`"{\"{"`, []],
    [String.raw`"\"{{"`, [String.raw`"\"{{"`]],
    [String.raw`"{{\""`, [String.raw`"{{\""`]],
  ];
  for (const [text, expected] of candidates) {
    it(`finds ${expected.length} candidates in ${text}`, () => expect(scan(text)).to.deep.equal(expected));
  }

  it('accepts nesting up to the limit and refuses it above, at any size', () => {
    expect(scan('[[[1]]]', 3)).to.deep.equal([]);
    expect(scan('[[[[1]]]]', 3)).to.equal(3);
    expect(scan('{"a":{"a":{"a":{}}}}', 3)).to.equal(15);
    expect(scan('['.repeat(5_000_000))).to.equal(512);
    expect(scan('{"":'.repeat(2_000_000))).to.equal(512 * 4);
    expect(scan('[]'.repeat(2_000_000))).to.equal(2);
  });

  it('accepts all JSON, however it is laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        expect(scan(JSON.stringify(value, null, indent))).to.be.an('array');
      }),
    );
  });

  it('accepts what JSON.parse accepts and nothing else, also when JSON is damaged', () => {
    const damaged = fc
      .tuple(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.nat({ max: 2 }),
        fc.constantFrom(...'{}[]",:\\u0e1.-+t \n\0'),
      )
      .map(([text, at, removed, inserted]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + inserted + text.slice(index + removed);
      });
    const soup = fc.string({
      unit: fc.constantFrom(...'{}[]",:\\u01-e.', 'true', 'null', '"a"'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.oneof(damaged, soup), (text) => {
        expect(Array.isArray(scan(text))).to.equal(parses(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('finds exactly the string values that hold {{ when decoded', () => {
    const unit = fc.constantFrom(
      '{',
      String.raw`\u007b`,
      String.raw`\u007B`,
      'a',
      String.raw`\\`,
      '}',
      String.raw`\u007` + 'd',
    );
    const literal = fc.string({ unit, maxLength: 6 }).map((text) => `"${text}"`);
    fc.assert(
      fc.property(fc.array(fc.tuple(literal, literal)), (members) => {
        const text = `[${members.map(([name, value]) => `{${name}:${value}}`).join(',')}]`;
        const expected = members
          .map(([, value]) => value)
          .filter((value) => (JSON.parse(value) as string).includes('{{'));
        expect(scan(text)).to.deep.equal(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
