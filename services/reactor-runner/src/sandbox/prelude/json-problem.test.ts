import { expect } from 'chai';

import { jsonProblem, readJson } from './json-problem.ts';

/** The messages are those of a real Node.js 16. */
const problems: readonly (readonly [text: string, problem: string | undefined])[] = [
  ['{"a":1,"b":[true,false,null,-1.5e+10,"x\\u00e9\\n"],"c":{"d":{}}}', undefined],
  [' \n{ "a" : [ ] }\t', undefined],
  ['-0', undefined],
  ['', 'Unexpected end of JSON input'],
  ['SSN 123-45-6789', 'Unexpected token S in JSON at position 0'],
  ['PAN=4242424242424242', 'Unexpected token P in JSON at position 0'],
  ['4242 4242', 'Unexpected number in JSON at position 5'],
  ['"number" "4242"', 'Unexpected string in JSON at position 9'],
  ['{"a":1,}', 'Unexpected token } in JSON at position 7'],
  ['[1,]', 'Unexpected token ] in JSON at position 3'],
  ["{'a':1}", "Unexpected token ' in JSON at position 1"],
  ['{1:2}', 'Unexpected number in JSON at position 1'],
  ['{"a" 1}', 'Unexpected number in JSON at position 5'],
  ['{"a":1 "b":2}', 'Unexpected string in JSON at position 7'],
  ['tru', 'Unexpected end of JSON input'],
  ['trux', 'Unexpected token x in JSON at position 3'],
  ['nul"', 'Unexpected string in JSON at position 3'],
  ['01', 'Unexpected number in JSON at position 1'],
  ['1.', 'Unexpected end of JSON input'],
  ['-a', 'Unexpected token a in JSON at position 1'],
  ['1e+', 'Unexpected end of JSON input'],
  ['"open', 'Unexpected end of JSON input'],
  ['"\n"', 'Unexpected token \n in JSON at position 1'],
  ['"\\x"', 'Unexpected token x in JSON at position 2'],
  ['"\\u1"', 'Unexpected string in JSON at position 4'],
  ['[['.repeat(100_000), 'Unexpected end of JSON input'],
  ['\uFEFF{}', 'Unexpected token \uFEFF in JSON at position 0'],
];

describe('what is wrong with text that should be JSON', () => {
  for (const [text, problem] of problems) {
    it(`of ${JSON.stringify(text.slice(0, 40))} is ${problem ?? 'nothing'}`, () => {
      expect(jsonProblem(text, readJson)).to.equal(problem);
    });
  }
});
