import type { Queryable } from '@glovebox/platform/db/postgres';
import { expect } from 'chai';
import pg from 'pg';

import { countUpTo, selectPage } from '../src/store/list-tokens.ts';
import { type TokenFilter, everyToken } from '../src/store/token-filter.ts';
import { type AnotherVault, Fixture } from './harness/fixture.ts';

describe('statements that were planned while there were few tokens', () => {
  let fixture: Fixture;
  let other: AnotherVault;
  before(async () => {
    fixture = await Fixture.start();
    other = await fixture.anotherVault({ DATABASE_MAX_CONNECTIONS: '1' }, (config) => ({
      ...config,
      limits: { ...config.limits, cachedRows: 1 },
    }));
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

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/** Every row that a plan has looked at, and the kinds of its nodes. */
function costOf(plan: Plan): { rows: number; nodes: string[] } {
  const below = (plan.Plans ?? []).map(costOf);
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = plan['Plans'] === undefined ? plan['Actual Rows'] : 0;
  return {
    rows: below.reduce((sum, { rows }) => sum + rows, (own + removed) * plan['Actual Loops']),
    nodes: [plan['Node Type'], ...below.flatMap(({ nodes }) => nodes)],
  };
}

describe('lists of one tenant among many tokens', () => {
  const perTenant = 20_000;
  let fixture: Fixture;
  let client: pg.Client;
  let tenantId: string;
  before(async () => {
    fixture = await Fixture.start();
    ({ tenantId } = fixture);
    const seed = await fixture.token('x', { search_indexes: ['{{ data }}'] });
    for (const tenant of [tenantId, await fixture.publisher.tenant()]) {
      await fixture.sql(
        `INSERT INTO token (tenant_id, id, type, container, sealed_data, metadata, fingerprint,
                            fingerprint_expression, search_indexes, search_hashes, created_by, created_at)
         SELECT $2, 't' || i, CASE WHEN i % 5000 = 0 THEN 'bank' ELSE 'card' END,
                CASE WHEN i % 5000 = 1 THEN '/rare/a/' ELSE '/pci/high/' END, sealed_data,
                jsonb_build_object('customer', 'c-' || i / 5, 'color', CASE WHEN i % 2 = 0 THEN 'red' ELSE 'blue' END),
                'f' || i / 2, '', '{}', ARRAY[sha256(i::text::bytea)],
                CASE WHEN i % 5000 = 2 THEN gen_random_uuid() ELSE created_by END, now() - i * interval '1 second'
           FROM token, generate_series(1, ${perTenant}) AS i WHERE id = $1 AND tenant_id = $3`,
        [seed, tenant, tenantId],
      );
    }
    await fixture.sql('VACUUM ANALYZE token');
    client = new pg.Client({
      connectionString: fixture.ground.env['DATABASE_URL'],
      options: `-c enable_seqscan=off -c glovebox.tenants={${tenantId}}`,
    });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await fixture[Symbol.asyncDispose]();
  });

  /** Runs a statement of the store, and gives what that cost. */
  const explained = async (run: (db: Queryable) => Promise<unknown>) => {
    let plan: Plan | undefined;
    const queryOnce = async (_name: string, text: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        [...values],
      );
      plan = rows[0]?.['QUERY PLAN'][0].Plan;
      return [];
    };
    await run({ queryOnce, query: queryOnce } as Queryable);
    if (plan === undefined) throw new Error('nothing was run');
    return costOf(plan);
  };

  const metadata = (name: string, value: string): TokenFilter => ({ kind: 'metadata', name, value });
  const rare: TokenFilter = { kind: 'container_prefix', value: '/rare/' };
  const hash: TokenFilter = { kind: 'search_hash', hash: Buffer.from('none') };
  const selective: Readonly<Record<string, TokenFilter>> = {
    'by a type that few have': { kind: 'type', values: ['bank'] },
    'by a type that none has': { kind: 'type', values: ['nope'] },
    'by ids': { kind: 'id', values: ['t1', 't2', 'nope'] },
    'by a fingerprint': { kind: 'fingerprint', values: ['f7'] },
    'by who made it': { kind: 'created_by', values: ['00000000-0000-4000-8000-000000000000'] },
    'by who changed it': { kind: 'modified_by', values: ['00000000-0000-4000-8000-000000000000'] },
    'by a container with few': rare,
    'by metadata that few have': metadata('customer', 'C-77'),
    'by metadata that none has': metadata('customer', 'nope'),
    'by a value': hash,
    'by one of several': {
      kind: 'or',
      of: [hash, metadata('customer', 'c-5'), { kind: 'id', values: ['t9'] }],
    },
    'by a common and a rare thing': {
      kind: 'and',
      of: [metadata('color', 'red'), { kind: 'type', values: ['bank'] }],
    },
    'by what a rule covers': { kind: 'or', of: [rare, { kind: 'and', of: [hash, rare] }] },
  };
  for (const [what, filter] of Object.entries(selective)) {
    it(`look at few tokens: ${what}`, async () => {
      const selection = { tenantId, filter, now: new Date() };
      for (const run of [
        (db: Queryable) => countUpTo(db, selection, 10_001),
        (db: Queryable) => selectPage(db, selection, 'newest', { offset: 0 }, 20),
      ]) {
        const { rows, nodes } = await explained(run);
        expect(nodes).not.to.include('Seq Scan');
        expect(rows).to.be.below(400);
      }
    });
  }

  const position = { container: '/pci/high/', createdAt: new Date(Date.now() - 10_000_000), id: 't1' };
  for (const order of ['newest', 'container'] as const) {
    it(`begin at any place in their order without a look at what comes before: ${order}`, async () => {
      for (const from of [{ offset: 0 }, { after: position }]) {
        const selection = { tenantId, filter: everyToken, now: new Date() };
        const { rows, nodes } = await explained((db) => selectPage(db, selection, order, from, 20));
        expect(rows).to.be.below(100);
        expect(nodes).not.to.include('Seq Scan');
      }
    });
  }
});
