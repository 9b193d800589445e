import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { divideCores } from './measure/cores.ts';
import { cpuOf, withChildren } from './measure/cpu.ts';
import { type Spread, spreadOf } from './measure/median.ts';
import { reportResults } from './measure/results-file.ts';
import { table } from './measure/table.ts';
import { type GatewaySide, connectToVault } from './vault/gateway-side.ts';
import { startStores } from './vault/stores.ts';
import { startVault } from './vault/vault-process.ts';

const rounds = 7;
const seconds = 3;
const tokens = 10_000;
/** G6 of the goals: ids per second and core of the vault, its row cache warm, each use recorded. */
const goal = 60_000;

interface Kind {
  readonly name: string;
  readonly concurrency: number;
  readonly idsPerCall: number;
  expression(id: string): string;
}

const whole = (id: string) => id;
const number = (id: string) => `${id} | json: '$.number'`;
const kinds: readonly Kind[] = [
  { name: '1 id a call, 128 calls at once', concurrency: 128, idsPerCall: 1, expression: whole },
  { name: '1 id a call, 512 calls at once', concurrency: 512, idsPerCall: 1, expression: whole },
  { name: '1 id a call with json filter, 128 at once', concurrency: 128, idsPerCall: 1, expression: number },
  { name: '10 ids a call, 64 calls at once', concurrency: 64, idsPerCall: 10, expression: whole },
];

interface Sample {
  readonly perSecond: number;
  /** Microseconds of CPU per id. */
  readonly vault: number;
  readonly postgres: number;
}

/** Measures uses of cards on one core that the vault has for itself; callers, Postgres and Redis are on another. */
export async function run(): Promise<void> {
  const cores = divideCores();
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'glovebox-bench-'));
  await using stores = await startStores();
  await using vault = await startVault(scratch.path, cores, stores);
  await using gateway = connectToVault(vault.port, vault.token);
  console.log(`${tokens} cards, every use recorded; ${cores.description}`);

  const ids = await createCards(gateway);
  const postgres = stores.postgres.child?.pid;
  const samples = new Map<Kind, Sample[]>(kinds.map((kind) => [kind, []]));
  for (const kind of kinds) await load(gateway, kind, ids, 2);
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of kinds) {
      const backends = postgres === undefined ? [] : withChildren(postgres);
      const before = { vault: cpuOf([vault.pid]), postgres: backends.map((pid) => cpuOf([pid])) };
      const { uses, took } = await load(gateway, kind, ids, seconds);
      const sample = {
        perSecond: uses / took,
        vault: (cpuOf([vault.pid]) - before.vault) / uses,
        postgres: sumOfGrowth(before.postgres, backends) / uses,
      };
      samples.get(kind)?.push(sample);
      console.log(`  ${kind.name}: ${sample.perSecond.toFixed(0)}/s, ${sample.vault.toFixed(1)} us`);
    }
  }
  const measured = [...samples].map(([{ name }, all]) => summarize(name, all));
  reportResults('vault', [report(measured)], { cores: cores.description, rounds, seconds, tokens, measured });
}

/** Of those processes that are still there: a backend that has ended tells nothing any more. */
function sumOfGrowth(before: readonly number[], pids: readonly number[]): number {
  return pids.reduce((sum, pid, at) => sum + Math.max(0, cpuOf([pid]) - (before[at] ?? 0)), 0);
}

async function createCards(gateway: GatewaySide): Promise<string[]> {
  const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };
  const ids: string[] = [];
  const creator = async () => {
    for (let made = 0; made < tokens / 50; made += 1) ids.push(await gateway.create({ type: 'card', data }));
  };
  await Promise.all(Array.from({ length: 50 }, creator));
  return ids;
}

async function load(
  gateway: GatewaySide,
  kind: Kind,
  ids: readonly string[],
  forSeconds: number,
): Promise<{ uses: number; took: number }> {
  const { concurrency, idsPerCall } = kind;
  const startedAt = performance.now();
  const endAt = startedAt + forSeconds * 1000;
  let [uses, next] = [0, 0];
  const caller = async () => {
    while (performance.now() < endAt) {
      const expressions = Array.from({ length: idsPerCall }, (_, at) =>
        kind.expression(ids[(next + at) % ids.length] ?? ''),
      );
      next += idsPerCall;
      const values = await gateway.use(expressions);
      uses += values;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return { uses, took: (performance.now() - startedAt) / 1000 };
}

interface Measured {
  readonly name: string;
  readonly perSecond: Spread;
  readonly vault: Spread;
  readonly postgres: Spread;
}

function summarize(name: string, all: readonly Sample[]): Measured {
  return {
    name,
    perSecond: spreadOf(all.map(({ perSecond }) => perSecond)),
    vault: spreadOf(all.map(({ vault }) => vault)),
    postgres: spreadOf(all.map(({ postgres }) => postgres)),
  };
}

function report(measured: readonly Measured[]): string {
  return table(
    ['uses of cards, cache warm', 'ids/s', 'CPU us: vault', 'Postgres', 'per vault core', 'G6'],
    measured.map(({ name, perSecond, vault, postgres }) => {
      const perCore = 1e6 / vault.median;
      return [
        name,
        perSecond.median.toFixed(0),
        vault.median.toFixed(1),
        postgres.median.toFixed(1),
        perCore.toFixed(0),
        `${perCore >= goal ? 'reached' : 'MISSED'} (>= ${goal} per core)`,
      ];
    }),
  );
}
