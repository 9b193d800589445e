import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

import type { Campaign, Findings } from './campaign.ts';

/** What one run printed, and under which circumstances. */
export interface Result extends Findings {
  readonly name: string;
  readonly command: string;
  readonly seed: number;
  readonly date: string;
  readonly commit: string;
  readonly seconds: number;
  readonly machine: string;
  /** How many processes waited for a processor on average, a minute before its beginning and its end. */
  readonly load?: readonly number[];
}

/** What is noted when a run begins. */
export interface Circumstances {
  readonly seed: number;
  readonly startedAt: number;
  readonly commit: string;
  readonly load: number;
}

export const circumstances = (seed: number): Circumstances => ({
  seed,
  startedAt: Date.now(),
  commit: commitNow(),
  load: loadNow(),
});

const loadNow = () => Math.round((loadavg()[0] ?? 0) * 10) / 10;

const folder = join(checkout, 'docs', 'evidence');
const fileOf = (name: string) => join(folder, `${name}.json`);

export function resultOf(
  { name }: Campaign,
  findings: Findings,
  { seed, startedAt, commit, load }: Circumstances,
): Result {
  return {
    name,
    command: `npm run evidence -- ${name} --seed ${seed}`,
    seed,
    date: new Date(startedAt).toISOString().slice(0, 16).replace('T', ' '),
    commit,
    seconds: Math.round((Date.now() - startedAt) / 1000),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`,
    load: [load, loadNow()],
    ...findings,
  };
}

export function writeResult(result: Result): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(result.name), `${JSON.stringify(result, null, 2)}\n`);
}

/** Of its latest whole run; undefined before there was one. */
export function readResult(name: string): Result | undefined {
  return existsSync(fileOf(name)) ? (JSON.parse(readFileSync(fileOf(name), 'utf8')) as Result) : undefined;
}

/** A tree with changes is none of that commit alone. */
function commitNow(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', ':!docs') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' and what was not committed yet' : ''}`;
}
