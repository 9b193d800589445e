import { expect } from 'chai';

import { CodeConduct, quarantineMs } from './code-conduct.ts';

describe('the conduct of a tenant’s code', () => {
  it('keeps code that has cost a worker alone for its time, and then forgets', () => {
    const conduct = new CodeConduct();
    conduct.offends('bad:1');
    conduct.behaves('bad:1');
    conduct.sweep(performance.now() + quarantineMs - 1000);
    expect(['bad:1', 'bad:2', 'good:1'].map((code) => conduct.laneOf(code))).to.deep.equal([
      'apart',
      'shared',
      'shared',
    ]);
    expect(conduct.quarantined).to.equal(1);
    conduct.sweep(performance.now() + quarantineMs + 1000);
    expect(conduct.laneOf('bad:1')).to.equal('shared');
    expect(conduct.isKnown).to.equal(false);
  });

  it('lets code that was only doubtful go as soon as it behaves', () => {
    const conduct = new CodeConduct();
    conduct.isDoubtful('long');
    expect([conduct.laneOf('long'), conduct.quarantined]).to.deep.equal(['apart', 0]);
    conduct.behaves('long');
    expect(conduct.laneOf('long')).to.equal('shared');
  });

  it('takes no offence back for a doubt', () => {
    const conduct = new CodeConduct();
    conduct.offends('bad');
    conduct.isDoubtful('bad');
    expect(conduct.isOffender('bad')).to.equal(true);
  });

  it('pauses code while it holds a worker', () => {
    const conduct = new CodeConduct();
    const worker = {};
    conduct.holds(worker, 'loop');
    expect(['loop', 'other'].map((code) => conduct.laneOf(code))).to.deep.equal(['paused', 'shared']);
    conduct.goesOn(worker);
    expect(conduct.laneOf('loop')).to.equal('shared');
  });
});
