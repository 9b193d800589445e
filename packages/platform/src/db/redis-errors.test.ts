import { expect } from 'chai';

import { createLogger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { redisErrors } from './redis-errors.ts';

describe('errors of a connection to Redis', () => {
  it('are logged once a second with the number of the others, and all counted', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'test', level: 'info', destination });
    const metrics = createMetrics('test');
    let now = 5000;
    const note = redisErrors({ logger, metrics, name: 'one', clock: () => now });
    const other = redisErrors({ logger, metrics, name: 'other', clock: () => now });
    for (; now < 7000; now += 10) note(new Error('away'));
    other(new Error('away as well'));
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.map(({ connection, unlogged }) => [connection, unlogged])).to.deep.equal([
      ['one', undefined],
      ['one', 99],
      ['other', undefined],
    ]);
    const { values } = (await metrics.getSingleMetric('glovebox_redis_errors_total')?.get()) ?? {
      values: [],
    };
    expect(values.map(({ labels, value }) => [labels['connection'], value])).to.deep.equal([
      ['one', 200],
      ['other', 1],
    ]);
  });
});
