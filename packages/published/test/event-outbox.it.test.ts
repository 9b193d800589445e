import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { type Postgres, createPostgres } from '@glovebox/platform/db/postgres';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { deleteOldEvents, oldestEventRows, lockOldestEvents } from '../src/event-outbox.ts';

describe('what is kept of events over a real Postgres', () => {
  let server: RunningPostgres;
  let postgres: Postgres;
  before(async () => {
    server = await startPostgres({ ephemeral: true });
    postgres = createPostgres({
      url: new Secret(server.adminUrl),
      maxConnections: 3,
      statementTimeoutMs: 5000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
    await postgres.queryOnce(
      'create',
      `CREATE TABLE event_outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event text NOT NULL,
         created_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
    );
  });
  after(async () => {
    await postgres[Symbol.asyncDispose]();
    await server.stop();
  });

  it('is dropped after a day by any free process, without waiting for entries that another one hands over', async () => {
    const keep = (count: number, hours: number) =>
      postgres.queryOnce(
        'keep',
        `INSERT INTO event_outbox (event, created_at)
         SELECT '{}', now() - make_interval(hours => $1) FROM generate_series(1, $2)`,
        [hours, count],
      );
    await keep(2500, 25);
    await keep(3, 23);
    const dropped = await postgres.transaction(async (tx) => {
      await lockOldestEvents(tx, 10);
      return Promise.all([deleteOldEvents(postgres), deleteOldEvents(postgres)]);
    });
    const left = await oldestEventRows(postgres, 3000);
    expect(dropped[0] + dropped[1]).to.equal(2503 - left.length);
    expect(left).to.include.members(['2501', '2502', '2503']);
    expect(left.slice(0, 10)).to.deep.equal(Array.from({ length: 10 }, (_, i) => String(i + 1)));
    expect(await deleteOldEvents(postgres)).to.equal(left.length - 3);
    expect(await oldestEventRows(postgres, 10)).to.deep.equal(['2501', '2502', '2503']);
  });
});
