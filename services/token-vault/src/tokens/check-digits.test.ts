import { expect } from 'chai';

import { hasAbaCheckDigit, hasLuhnCheckDigit } from './check-digits.ts';

/** The test cards of contract/examples.md#test-data. */
const cards =
  '4242424242424242 4000056655665556 5555555555554444 2223003122003222 5105105105105100 378282246310005 ' +
  '6011111111111117 3056930009020004 36227206271667 3566002020360505 620000000000000';

describe('check digits', () => {
  for (const number of cards.split(' ')) {
    it(`accept card ${number} and no other last digit`, () => {
      for (const last of '0123456789') {
        const candidate = number.slice(0, -1) + last;
        expect(hasLuhnCheckDigit(candidate), candidate).to.equal(candidate === number);
      }
    });
  }

  for (const number of ['021000021', '110000000']) {
    it(`accept routing number ${number} and no other last digit`, () => {
      for (const last of '0123456789') {
        const candidate = number.slice(0, -1) + last;
        expect(hasAbaCheckDigit(candidate), candidate).to.equal(candidate === number);
      }
    });
  }

  it('find two neighbouring digits that are exchanged', () => {
    expect(hasLuhnCheckDigit('4242424242424224')).to.equal(false);
    expect(hasAbaCheckDigit('012000021')).to.equal(false);
  });
});
