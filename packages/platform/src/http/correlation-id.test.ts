import { expect } from 'chai';

import { correlationIdOf } from './correlation-id.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the correlation id', () => {
  for (const sent of ['order 17/a', 'x', 'x'.repeat(200), '"\\']) {
    it(`is the caller’s own: ${sent.slice(0, 20)}`, () => {
      expect(correlationIdOf(sent)).to.equal(sent);
    });
  }

  for (const sent of [
    undefined,
    '',
    ' ',
    ' x',
    'x ',
    'x'.repeat(201),
    'line\nbreak',
    'x\n',
    'caf\u00e9',
    '\0',
  ]) {
    it(`is another in place of ${JSON.stringify(sent)?.slice(0, 20)}`, () => {
      expect(correlationIdOf(sent)).to.match(uuid);
      expect(correlationIdOf(sent, () => 'other')).to.equal('other');
    });
  }
});
