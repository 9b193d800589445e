import { expect } from 'chai';

import { figureFields, readFigures } from './rollout-figures.ts';

function stored(...took: number[]): Record<string, string> {
  const fields: Record<string, number> = {};
  for (const ms of took) {
    for (const field of [figureFields.requests(3), figureFields.took(3, ms)])
      fields[field] = (fields[field] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(fields).map(([field, count]) => [field, String(count)]));
}

describe('the figures of a rollout', () => {
  it('are nothing before the first request', () => {
    expect(readFigures({}, 3)).to.deep.equal({ requests: 0, errors: 0, p50: undefined, p99: undefined });
  });

  it('say how long requests took, to a twentieth, and whose they are', () => {
    const times = Array.from({ length: 1000 }, (_, n) => n + 1);
    const figures = readFigures(stored(...times), 3);
    expect(figures.requests).to.equal(1000);
    expect(figures.p50).to.be.within(500 / 1.05, 500 * 1.05);
    expect(figures.p99).to.be.within(990 / 1.05, 990 * 1.05);
    expect(readFigures(stored(...times), 30).requests).to.equal(0);
  });

  it('need a bounded number of fields, whatever took how long', () => {
    const fields = new Set([0, -1, 0.2, 1e-9, 1e12, Infinity].map((ms) => figureFields.took(3, ms)));
    expect([...fields]).to.deep.equal(['3:took:0', '3:took:130']);
  });
});
