import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Found } from './target.ts';

const file = join(import.meta.dirname, 'corpus.json');

/** Inputs for which a claim once did not hold. They are tried first, in every run. */
export function readCorpus(): Found[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Found[];
}

export function addToCorpus(found: readonly Found[]): void {
  writeFileSync(file, `${JSON.stringify([...readCorpus(), ...found], null, 2)}\n`);
}
