import { expect } from 'chai';

import { createMetrics } from '../telemetry/metrics.ts';
import { type Load, Overload } from './overload.ts';

describe('a process with too much to do', () => {
  let load: Load;
  let overload: Overload;
  const metrics = createMetrics('proxy-gateway');

  beforeEach(() => {
    overload = new Overload(metrics, () => load);
  });
  afterEach(() => {
    overload[Symbol.dispose]();
    metrics.removeSingleMetric('glovebox_shed_total');
  });

  /** Whether new work is refused, after a look at each of these. */
  const refusesAfter = (...loads: readonly Partial<Load>[]) => {
    for (const one of loads) {
      load = { delayMs: 0, memory: 0, ...one };
      overload.look();
    }
    try {
      overload.requireRoom();
      return false;
    } catch (error) {
      expect(error).to.include({ code: 'unavailable', retryAfterSeconds: 1 });
      return true;
    }
  };

  it('refuses new work while its event loop is late, and not after one long task', () => {
    expect(refusesAfter({ delayMs: 1000 })).to.equal(false);
    expect(refusesAfter({ delayMs: 10 }, { delayMs: 1000 })).to.equal(false);
    expect(refusesAfter({ delayMs: 1000 })).to.equal(true);
    expect(refusesAfter({ delayMs: 450 }), 'it is not much better').to.equal(true);
    expect(refusesAfter({ delayMs: 100 })).to.equal(false);
  });

  it('refuses new work before its memory is used up', () => {
    expect(refusesAfter({ memory: 0.89 })).to.equal(false);
    expect(refusesAfter({ memory: 0.91 })).to.equal(true);
    expect(refusesAfter({ memory: 0.87 }), 'it is not much better').to.equal(true);
    expect(refusesAfter({ memory: 0.8 })).to.equal(false);
  });

  it('counts what it refuses by the reason', async () => {
    refusesAfter({ memory: 0.95 });
    refusesAfter({ delayMs: 600 }, { delayMs: 600 });
    const values = (await metrics.getSingleMetric('glovebox_shed_total')?.get())?.values ?? [];
    expect(values.map(({ labels, value }) => [labels['reason'], value])).to.deep.equal([
      ['memory', 1],
      ['event_loop', 1],
    ]);
  });
});
