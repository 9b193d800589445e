import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

const folder = join(checkout, 'bench', 'results');

/** What a bench leaves in `bench/results`; further findings are for a closer look. */
export interface Results {
  readonly bench: string;
  /** ISO 8601. */
  readonly at: string;
  readonly machine: { readonly node: string; readonly cores: number; readonly model: string };
  /** The arguments after `npm run bench --`. */
  readonly args: readonly string[];
  /** Tables and remarks as text, in the order in which they are read. */
  readonly tables: readonly string[];
}

/** Prints the tables of a bench, and keeps them with all that it found in `bench/results` (not in git). */
export function reportResults(bench: string, tables: readonly string[], found: object): void {
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `${bench}-${at.replaceAll(/[:.]/g, '-')}.json`);
  const args = process.argv.slice(2);
  const machine = { node: process.version, cores: cpus().length, model: cpus()[0]?.model ?? '' };
  writeFileSync(file, `${JSON.stringify({ bench, at, machine, args, tables, ...found }, null, 2)}\n`);
  for (const table of tables) console.log(`\n${table}`);
  console.log(`\n${file}`);
}

/** The newest results of a bench, or undefined when there are none. */
export function newestResults(bench: string): Results | undefined {
  const files = globSync(join(folder, `${bench}-2*.json`)).sort();
  const newest = files.at(-1);
  if (newest === undefined) return undefined;
  const results: Results = JSON.parse(readFileSync(newest, 'utf8'));
  return results;
}
