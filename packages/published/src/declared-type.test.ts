import { expect } from 'chai';
import fc from 'fast-check';

import { type DeclaredType, parseDeclared } from './declared-type.ts';

describe('a text where a formula declares a type', () => {
  const table: readonly [type: DeclaredType, text: string, value: string | boolean | number | undefined][] = [
    ['string', '', ''],
    ['string', '5', '5'],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', '', undefined],
    ['boolean', 'TRUE', undefined],
    ['boolean', '1', undefined],
    ['number', '5', 5],
    ['number', '-5.50', -5.5],
    ['number', '+.5e3', 500],
    ['number', '007', 7],
    ['number', '5.', 5],
    ['number', '', undefined],
    ['number', '.', undefined],
    ['number', ' 5', undefined],
    ['number', '5\n', undefined],
    ['number', '1e999', undefined],
    ['number', 'Infinity', undefined],
    ['number', 'NaN', undefined],
    ['number', '0x10', undefined],
    ['number', '1_000', undefined],
    ['number', '٥', undefined],
  ];
  for (const [type, text, value] of table) {
    it(`${JSON.stringify(text)} as a ${type} is ${value === undefined ? 'refused' : JSON.stringify(value)}`, () => {
      expect(parseDeclared(type, text)).to.equal(value);
    });
  }

  it('takes every finite number as JavaScript writes it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseDeclared('number', String(value))).to.equal(value === 0 ? 0 : value);
      }),
    );
  });
});
