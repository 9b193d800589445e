import { expect } from 'chai';

import { wireSize } from './wire-size.ts';

describe('the size of a message on the wire', () => {
  it('counts bytes of text, byte fields, items and names, at every level', () => {
    const message = {
      id: 1,
      outcome: { $case: 'any', value: { json: Buffer.alloc(5000), values: ['é'.repeat(1000), 'a'] } },
      errors: { ['n'.repeat(3000)]: { messages: [] } },
    };
    expect(wireSize(message)).to.be.within(10_001, 10_300);
  });

  it('of what is not there is next to nothing', () => {
    for (const nothing of [undefined, null, 0, false, '', []]) expect(wireSize(nothing)).to.be.at.most(10);
  });
});
