import { expect } from 'chai';

import { correlationIdOf } from './correlation.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the correlation id', () => {
  it('is the client’s own', () => {
    expect(correlationIdOf('order 17/a')).to.equal('order 17/a');
  });

  for (const sent of [undefined, '', 'x'.repeat(201), 'line\nbreak', 'caf\u00e9', '\u0000']) {
    it(`is a new one in place of ${JSON.stringify(sent)?.slice(0, 20)}`, () => {
      expect(correlationIdOf(sent)).to.match(uuid);
    });
  }
});
