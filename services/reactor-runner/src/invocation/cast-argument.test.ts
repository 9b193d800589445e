import type { DeclaredType } from '@glovebox/published/declared-type';
import { expect } from 'chai';

import { castArgument } from './cast-argument.ts';

/** Argument, and what it becomes where a string, a number and a boolean is declared; `-`: the cast is impossible. */
const table: readonly [json: string, string: string, number: string, boolean: string][] = [
  ['"text"', '"text"', '-', '-'],
  ['""', '""', '-', '-'],
  ['"\\u0041 \\""', '"\\u0041 \\""', '-', '-'],
  ['"12"', '"12"', '12', '-'],
  ['"-0.50"', '"-0.50"', '-0.50', '-'],
  ['"1e3"', '"1e3"', '1e3', '-'],
  ['"+7"', '"+7"', '7', '-'],
  ['"007"', '"007"', '7', '-'],
  ['".5"', '".5"', '0.5', '-'],
  ['"5."', '"5."', '5', '-'],
  ['"\\u0031"', '"\\u0031"', '1', '-'],
  ['"12345678901234567890"', '"12345678901234567890"', '12345678901234567890', '-'],
  ['" 1"', '" 1"', '-', '-'],
  ['"1,5"', '"1,5"', '-', '-'],
  ['"0x10"', '"0x10"', '-', '-'],
  ['"1e999"', '"1e999"', '-', '-'],
  ['"NaN"', '"NaN"', '-', '-'],
  ['"Infinity"', '"Infinity"', '-', '-'],
  ['"true"', '"true"', '-', 'true'],
  ['"false"', '"false"', '-', 'false'],
  ['"True"', '"True"', '-', '-'],
  ['"1"', '"1"', '1', '-'],
  ['0', '"0"', '0', '-'],
  ['-1.50', '"-1.50"', '-1.50', '-'],
  ['1E5', '"1E5"', '1E5', '-'],
  ['12345678901234567890', '"12345678901234567890"', '12345678901234567890', '-'],
  ['1e999', '"1e999"', '-', '-'],
  ['true', '"true"', '-', 'true'],
  ['false', '"false"', '-', 'false'],
  ['{}', '-', '-', '-'],
  ['{"a":1}', '-', '-', '-'],
  ['[]', '-', '-', '-'],
  ['["1"]', '-', '-', '-'],
  ['null', '-', '-', '-'],
];

describe('an argument', () => {
  for (const [json, string, number, boolean] of table) {
    for (const [type, cast] of Object.entries({ string, number, boolean })) {
      it(`${json} declared as ${type} becomes ${cast === '-' ? 'a problem' : cast}`, () => {
        expect(castArgument(type as DeclaredType, json) ?? '-').to.equal(cast);
      });
    }
  }
});
