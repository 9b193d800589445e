import { EgressDenied } from '@glovebox/egress/egress-errors';
import { expect } from 'chai';

import { destinationError } from './destination-error.ts';

describe('what a caller is told of a destination that may not be dialled', () => {
  it('is why, where that stands in the name itself', () => {
    const error = destinationError(new EgressDenied('private-name', 'redis'));
    expect(error.code).to.equal('bad_gateway');
    expect(error.message).to.match(/cannot be public.*one label.*\.internal/);
  });

  it('is nothing of where a name leads', () => {
    const error = destinationError(new EgressDenied('deny-private', 'a.example', '10.0.0.1'));
    expect([error.code, error.message]).to.deep.equal([
      'bad_gateway',
      'The destination could not be reached.',
    ]);
  });
});
