import type { Queryable } from '@glovebox/platform/db/postgres';
import pg from 'pg';

import { spreadOf } from '../measure/median.ts';
import type { Statement, Subject } from './statements.ts';

/** What a statement costs: pages of 8 KiB that it looks at, which no other load changes, and its time. */
export interface Cost {
  readonly pages: number;
  readonly milliseconds: number;
}

interface Explained {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
  readonly 'Execution Time': number;
}

/** The medians of some rounds, by the role of a vault and with its plans. */
export async function costOf(
  serviceUrl: string,
  statement: Statement,
  subject: Subject,
  rounds: number,
): Promise<Cost> {
  const client = new pg.Client({
    connectionString: serviceUrl,
    options: `-c enable_seqscan=off -c glovebox.tenants={${subject.tenantId}}`,
  });
  await client.connect();
  try {
    const found: Cost[] = [];
    const explain = async (_name: string, text: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        [...values],
      );
      const explained = rows[0]?.['QUERY PLAN'][0];
      if (explained === undefined) throw new Error('the statement was not explained');
      const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = explained.Plan;
      found.push({ pages: hit + read, milliseconds: explained['Execution Time'] });
      return [];
    };
    const db: Queryable = { query: explain, queryOnce: explain };
    for (let round = 0; round < rounds; round += 1) await statement(db, subject);
    return {
      pages: spreadOf(found.map(({ pages }) => pages)).median,
      milliseconds: spreadOf(found.map(({ milliseconds }) => milliseconds)).median,
    };
  } finally {
    await client.end();
  }
}
