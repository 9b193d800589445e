import { expect } from 'chai';

import { detailsOf } from './card-and-bank-details.ts';

const visa = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

describe('the details of a card or an account', () => {
  it('are its first and last digits, its expiry and its brand', () => {
    expect(detailsOf('card', JSON.stringify(visa))).to.deep.equal({
      card: { bin: '42424242', last4: '4242', expiration_month: 12, expiration_year: 2030, brand: 'visa' },
    });
    expect(detailsOf('network_token', JSON.stringify({ number: '378282246310005' }))).to.deep.equal({
      card: { bin: '378282', last4: '0005', brand: 'american-express' },
    });
    expect(
      detailsOf('bank', JSON.stringify({ routing_number: '021000021', account_number: '1234567890' })),
    ).to.deep.equal({
      bank: { routing_number: '021000021', account_number_last4: '7890' },
    });
  });

  it('are there for no other type, and not for data that is no object', () => {
    expect(detailsOf('token', JSON.stringify(visa))).to.deep.equal({});
    expect(detailsOf('card', JSON.stringify('4242424242424242'))).to.deep.equal({});
  });
});
