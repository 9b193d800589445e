import { expect } from 'chai';
import { Counter, Histogram, Registry } from 'prom-client';

import { FrequentTimings } from './frequent-timings.ts';

describe('FrequentTimings', () => {
  it('loses nothing between being observed and being read, however much it was', async () => {
    for (const times of [0, 1, 511, 512, 513, 2000]) {
      const registers = [new Registry()];
      const collect = (): void => series.handOn();
      const counter = new Counter({
        name: 'c',
        help: 'c',
        labelNames: ['status'],
        registers,
        collect,
      });
      const histogram = new Histogram({
        name: 'h',
        help: 'h',
        labelNames: ['route'],
        buckets: [0.5, 1],
        registers,
        collect,
      });
      const series: FrequentTimings<'status', 'route'> = new FrequentTimings(
        counter,
        { status: 200 },
        histogram,
        { route: '/x' },
      );
      for (let i = 0; i < times; i += 1) series.observe(i % 2 === 0 ? 0.25 : 0.75);
      const text = (await registers[0]?.metrics()) ?? '';
      expect(text).to.contain(`c{status="200"} ${times}\n`);
      if (times === 0) continue;
      expect(text).to.contain(`h_bucket{le="0.5",route="/x"} ${Math.ceil(times / 2)}\n`);
      expect(text).to.contain(`h_count{route="/x"} ${times}\n`);
    }
  });
});
