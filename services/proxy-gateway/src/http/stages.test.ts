import { expect } from 'chai';

import { Stages } from './stages.ts';

describe('the stages of a request', () => {
  it('add up to the time since it began, each as often as it was entered', () => {
    let now = 100;
    const stages = new Stages(() => now);
    const pass = (ms: number) => (now += ms);
    pass(1);
    stages.enter('vault');
    pass(2.5);
    stages.enter('own');
    pass(4);
    stages.enter('vault');
    pass(8);
    stages.enter('destination');
    pass(16.123);
    expect(String(stages)).to.equal('auth;dur=1.00, vault;dur=10.50, destination;dur=16.12, own;dur=4.00');
  });

  it('say which one is left, for a caller who goes back to it', () => {
    const stages = new Stages(() => 0);
    expect(stages.enter('receive')).to.equal('auth');
    expect(stages.enter('auth')).to.equal('receive');
  });
});
