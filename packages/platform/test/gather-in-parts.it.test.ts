import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { expect } from 'chai';

import { type Gathering, gatherInParts } from '../src/db/gather-in-parts.ts';
import { type Postgres, createPostgres } from '../src/db/postgres.ts';
import { Secret } from '../src/values/secret.ts';

describe('what is gathered from a log, over a real Postgres', () => {
  let server: RunningPostgres;
  let postgres: Postgres;
  before(async () => {
    server = await startPostgres({ ephemeral: true });
    postgres = createPostgres({
      url: new Secret(server.adminUrl),
      maxConnections: 4,
      statementTimeoutMs: 5000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
    await sql('CREATE TABLE entry (at timestamptz NOT NULL)');
    await sql('CREATE TABLE total (count bigint NOT NULL)');
    await sql('CREATE TABLE total_progress (gathered_until timestamptz NOT NULL)');
  });
  after(async () => {
    await postgres[Symbol.asyncDispose]();
    await server.stop();
  });
  beforeEach(async () => {
    await sql('TRUNCATE entry, total, total_progress');
    await sql('INSERT INTO total VALUES (0)');
    await sql(`INSERT INTO total_progress VALUES (now() - interval '3 days')`);
  });

  const sql = (text: string) => postgres.queryOnce<{ count: string }>('test', text);
  const log = (count: number, ago: string) =>
    sql(`INSERT INTO entry SELECT now() - interval '${ago}' FROM generate_series(1, ${count})`);
  const total = async () => Number((await sql('SELECT count FROM total'))[0]?.count);
  let parts: string[][] = [];
  const gathering: Gathering = {
    name: 'total',
    progressTable: 'total_progress',
    gather: async (tx, from, to) => {
      parts.push([from, to]);
      const rows = await tx.query<{ count: string }>(
        'add',
        `WITH done AS (SELECT count(*) AS count FROM entry WHERE at >= $1 AND at < $2),
              added AS (UPDATE total SET count = total.count + (SELECT count FROM done))
         SELECT count FROM done`,
        [from, to],
      );
      return Number(rows[0]?.count);
    },
  };

  it('is all that has settled, each of it once, however many gather at the same time', async () => {
    for (const ago of ['3 days', '2 days', '1 day', '10 minutes']) await log(30_000, ago);
    await log(5, '1 second');
    parts = [];
    await Promise.all([1, 2, 3].map(() => gatherInParts(postgres, gathering)));
    expect(await total()).to.equal(120_000);
    await gatherInParts(postgres, gathering);
    expect(await total()).to.equal(120_000);
    // Faster where little was written: three days are thousands of minutes.
    expect(parts.length).to.be.within(4, 60);
  });

  it('is gathered by the next round when it could not be put away', async () => {
    await log(10, '1 day');
    let failures = 0;
    const failing: Gathering = {
      ...gathering,
      async gather(tx, from, to) {
        const count = await gathering.gather(tx, from, to);
        if (count > 0 && (failures += 1) === 1) throw new Error('it is away');
        return count;
      },
    };
    const failure = await gatherInParts(postgres, failing).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect([failure, await total()]).to.deep.equal(['it is away', 0]);
    await gatherInParts(postgres, failing);
    expect(await total()).to.equal(10);
  });
});
