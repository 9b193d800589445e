import { type Postgres, createPostgres, sqlStateOf } from '@glovebox/platform/db/postgres';
import { expect } from 'chai';

import { until } from '../../../test/harness/until.ts';
import { purgeEntries } from '../src/audit/store.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import { inDatabase } from './harness/stores.ts';

const dayMs = 86_400_000;

describe('the partitions of the log of control-api', () => {
  let api: TestApi;
  let service: Postgres;
  let url: string;
  beforeEach(async () => {
    api = await startTestApi();
    url = api.config.databaseUrl.reveal();
    service = createPostgres({
      url: api.config.databaseUrl,
      maxConnections: 2,
      statementTimeoutMs: 5000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
  });
  afterEach(async () => {
    await service[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });

  interface Partition {
    readonly name: string;
    readonly starts: Date | null;
    readonly ends: Date;
  }
  const partitions = () => inDatabase<Partition>(url, 'SELECT * FROM log_partitions()');

  it('are made ahead, each after the one before, and are read and written through the log alone', async () => {
    const made = await partitions();
    expect(made[0]).to.include({ name: 'logs_first', starts: null });
    expect(made.at(-1)?.ends.getTime()).to.be.above(Date.now() + 59 * dayMs);
    for (const [n, { name, starts }] of made.entries()) {
      if (n > 0) expect(starts).to.deep.equal(made[n - 1]?.ends);
      const read = service.acrossTenants('test').queryOnce('attempt', `SELECT FROM ${name}`);
      expect(await read.then(String, ({ cause }: Error) => String(cause))).to.include('permission denied');
    }
    const response = await fetch(`http://127.0.0.1:${api.service.metricsPort}/metrics`);
    const room = /^glovebox_log_room_seconds\S* (\S+)$/m.exec(await response.text())?.[1];
    expect(Number(room)).to.be.above((59 * dayMs) / 1000);
  });

  it('are dropped whole after their time; of the first one, what is older is deleted', async () => {
    const own = `'${api.tenant.id}', 'x', 'old', 'x'`;
    // As if the installation had begun half a year ago.
    await inDatabase(
      url,
      `DO $$
       DECLARE one record;
       BEGIN
         FOR one IN SELECT * FROM log_partitions() LOOP
           EXECUTE format('ALTER TABLE logs DETACH PARTITION %I', one.name);
           IF one.starts IS NOT NULL THEN EXECUTE format('DROP TABLE %I', one.name); END IF;
         END LOOP;
         EXECUTE 'ALTER TABLE logs_first RENAME TO logs_other';
         CREATE TABLE logs_first (LIKE logs_other INCLUDING DEFAULTS);
         EXECUTE format('ALTER TABLE logs ATTACH PARTITION logs_first FOR VALUES FROM (MINVALUE) TO (%L)',
                        date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '3 months');
         PERFORM make_log_partitions(now() + interval '2 months', 'month');
       END $$;
       INSERT INTO logs (at, tenant_id, operation, entity_type, entity_id)
       SELECT now() - make_interval(months => m), ${own} FROM unnest(ARRAY[0, 1, 2, 4, 20]) AS m`,
    );
    const left = async () => {
      const rows = await inDatabase<{ months: number }>(
        url,
        `SELECT (extract(epoch FROM now() - at) / 2592000)::integer AS months FROM logs WHERE entity_type = 'old' ORDER BY at DESC`,
      );
      return rows.map(({ months }) => months);
    };
    // A writer on a busy machine may hold the log for longer than a drop waits: the next round does it.
    const purge = (before: Date) =>
      until('nobody holds the log', () =>
        purgeEntries(service.acrossTenants('test'), before).then(
          () => true,
          (error: unknown) => {
            if (sqlStateOf(error) !== '55P03') throw error;
            return false;
          },
        ),
      );
    const first = async () => (await partitions()).some(({ starts }) => starts === null);
    await purge(new Date(Date.now() - 300 * dayMs));
    expect([await left(), await first()]).to.deep.equal([[0, 1, 2, 4], true]);
    await purge(new Date(Date.now() - 95 * dayMs));
    expect([(await left()).slice(0, 3), await first()]).to.deep.equal([[0, 1, 2], false]);
    await purge(new Date());
    const [oldest] = await partitions();
    expect(oldest?.ends.getTime(), 'the time of the oldest one is not over').to.be.above(Date.now());
  });
});
