import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureKeyFile } from '@glovebox/local/key-file';
import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { createPostgres } from '@glovebox/platform/db/postgres';
import { Secret } from '@glovebox/platform/values/secret';

import { AuditSeals } from '../../services/token-vault/src/audit/audit-seals.ts';
import { verifyAudit } from '../../services/token-vault/src/audit/verify-audit.ts';
import { unwrapAuditKey } from '../../services/token-vault/src/crypto/audit-key.ts';
import { openLocalFileKeyProvider } from '../../services/token-vault/src/crypto/local-file-key-provider.ts';
import { readAuditKey } from '../../services/token-vault/src/store/audit-keys.ts';
import { type GrownDatabase, growDatabase } from './growth/database.ts';
import { type Cost, costOf } from './growth/explain.ts';
import { statements } from './growth/statements.ts';
import { reportResults } from './measure/results-file.ts';
import { table } from './measure/table.ts';

const rounds = 9;

interface Work {
  readonly perSecond: number;
  readonly seconds: number;
  /** Of this process, above what it had before. */
  readonly memoryMb: number;
}

/** What statements of the vault cost, and work on its log, with few and with many rows (`-- growth 100000 2000000`). */
export async function run(): Promise<void> {
  const sizes = process.argv.slice(3).map(Number);
  if (sizes.length === 0) sizes.push(100_000, 2_000_000);
  const server = await startPostgres({ ephemeral: true });
  try {
    const costs = new Map<string, Cost[]>();
    const works = new Map<string, Work[]>();
    for (const rows of sizes) {
      await using database = await growDatabase(server, rows);
      console.log(`  ${rows} tokens and as many entries are there`);
      const { serviceUrl, tenantId } = database;
      for (const [name, statement] of Object.entries(statements)) {
        const cost = await costOf(serviceUrl, statement, { tenantId, rows }, rounds);
        costs.set(name, [...(costs.get(name) ?? []), cost]);
        console.log(`  ${name}: ${cost.pages} pages, ${cost.milliseconds.toFixed(2)} ms`);
      }
      for (const [name, work] of Object.entries(await workOnLog(server, database, rows)))
        works.set(name, [...(works.get(name) ?? []), work]);
    }
    const head = sizes.map((rows) => rows.toLocaleString('en'));
    const tables = [
      tableOf('statement: pages of 8 KiB, ms', head, costs, showCost),
      tableOf('work: per second, seconds, MB', head, works, showWork),
    ];
    const found = { sizes, rounds, costs: Object.fromEntries(costs), works: Object.fromEntries(works) };
    reportResults('growth', tables, found);
  } finally {
    await server.stop();
  }
}

const showCost = ({ pages, milliseconds }: Cost) => `${pages}, ${milliseconds.toFixed(2)}`;
const showWork = ({ perSecond, seconds, memoryMb }: Work) =>
  `${perSecond.toFixed(0)}, ${seconds.toFixed(1)}, ${memoryMb.toFixed(0)}`;

function tableOf<T>(
  what: string,
  sizes: readonly string[],
  found: ReadonlyMap<string, readonly T[]>,
  show: (one: T) => string,
): string {
  const rows = [...found].map(([name, all]) => [name].concat(all.map(show)));
  return table([what].concat(sizes), rows);
}

/** Seals the log, verifies it, and drops what is older than half a year. */
async function workOnLog(
  server: RunningPostgres,
  { admin }: GrownDatabase,
  rows: number,
): Promise<Readonly<Record<string, Work>>> {
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'glovebox-bench-'));
  const keyFile = join(scratch.path, 'key.json');
  ensureKeyFile(keyFile);
  await using postgres = createPostgres({
    url: new Secret(server.url(`growth_${rows}`)),
    maxConnections: 2,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    applicationName: 'bench',
    onError: () => undefined,
    settings: { enable_seqscan: 'off' },
  });
  const provider = await openLocalFileKeyProvider(keyFile);
  const seals = new AuditSeals(postgres, provider);
  const sealed = await timed(rows * 1.1, () => seals.seal());
  const stored = await readAuditKey(postgres);
  if (stored === undefined) throw new Error('nothing was sealed');
  const key = await unwrapAuditKey(provider, stored);
  const verified = await timed(rows * 1.1, async () => {
    const { mismatch } = await verifyAudit(postgres, key);
    if (mismatch !== undefined) throw new Error(mismatch.problem);
  });
  const count = async () => Number((await admin.query('SELECT count(*) FROM audit')).rows[0]?.count);
  const before = await count();
  const halfYear = new Date(Date.now() - 183 * 86_400_000);
  const dropping = await timed(1, () => seals.purge(halfYear));
  const gone = before - (await count());
  return {
    'entries sealed': sealed,
    'entries verified': verified,
    'entries dropped with their partitions': { ...dropping, perSecond: gone / dropping.seconds },
  };
}

async function timed(rows: number, work: () => Promise<void>): Promise<Work> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watch);
  return { perSecond: rows / seconds, seconds, memoryMb: (most - before) / 2 ** 20 };
}
