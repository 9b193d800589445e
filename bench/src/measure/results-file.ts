import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

/** Keeps what a bench found in `bench/results` (not in git). @returns the file. */
export function writeResults(bench: string, found: object): string {
  const folder = join(checkout, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `${bench}-${at.replaceAll(/[:.]/g, '-')}.json`);
  const machine = { node: process.version, cores: cpus().length, model: cpus()[0]?.model ?? '' };
  writeFileSync(file, `${JSON.stringify({ bench, at, machine, ...found }, null, 2)}\n`);
  return file;
}
