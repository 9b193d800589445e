import { expect } from 'chai';

import { type AnotherVault, Fixture } from './harness/fixture.ts';

describe('statements that were planned while there were few tokens', () => {
  let fixture: Fixture;
  let other: AnotherVault;
  before(async () => {
    fixture = await Fixture.start();
    other = await fixture.anotherVault({ DATABASE_MAX_CONNECTIONS: '1', ROW_CACHE_MAX_ROWS: '1' });
  });
  after(async () => {
    await other[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  const scans = async () => {
    const rows = await fixture.sql<{ seq_scan: string; idx_scan: string }>(
      `SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'token'`,
    );
    return { sequential: Number(rows[0]?.seq_scan), byIndex: Number(rows[0]?.idx_scan) };
  };

  it('do not scan the table of all tokens', async () => {
    const [a, b] = [await fixture.token('a'), await fixture.token('b')];
    await fixture.sql('VACUUM ANALYZE token');
    const before = await scans();
    // Postgres keeps a plan from the sixth execution on. With room for one row, every second use reads from the table.
    for (let round = 0; round < 10; round += 1) {
      await other.gateway.use(fixture.owner, [a]);
      await other.gateway.use(fixture.owner, [a]);
      await other.gateway.use(fixture.owner, [b]);
    }
    for (let round = 0; round < 10; round += 1) {
      const created = await other.gateway.create(fixture.owner, {
        type: 'token',
        data: 1,
        id: `id ${round}`,
      });
      await other.gateway.delete(fixture.owner, String(created['id']));
    }
    let now = before;
    while (now.byIndex + now.sequential < before.byIndex + before.sequential + 50) {
      // A backend tells its counts at the end of a transaction, once a second at most.
      await other.gateway.use(fixture.owner, [b]);
      now = await scans();
    }
    expect(now.sequential).to.equal(before.sequential);
  });
});
