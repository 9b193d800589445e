import { existsSync, writeFileSync } from 'node:fs';

import { type Json, type JsonObject, isObject } from '../api/json.ts';
import { differences } from '../plan/differences.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Output } from '../terminal/output.ts';
import { readJson } from '../terminal/read-input.ts';
import { textOfDifference } from './show-plan.ts';

/** What is the same each time that code does the same. */
const lasting = ['outcome', 'result', 'log', 'tried_to_reach'] as const;
const lastingOfErrors = ['name', 'message', 'line', 'column'] as const;

/**
 * Compares a trial with the one that a file keeps, and shows each member that differs.
 * @param mayWrite when the file is written instead
 * @returns whether they are the same
 * @throws CliError when there is no such file and it may not be written
 */
export function compareWithSnapshot(
  trial: JsonObject,
  file: string,
  mayWrite: 'always' | 'if-missing' | 'never',
  out: Output,
): boolean {
  const now = snapshotOf(trial);
  if (mayWrite === 'always' || (mayWrite === 'if-missing' && !existsSync(file))) {
    writeFileSync(file, `${JSON.stringify(now, undefined, 2)}\n`);
    out.note(`${file} is written`);
    return true;
  }
  if (!existsSync(file)) throw new CliError(`there is no snapshot ${file}, and where CI is set none is made`);
  const before = readJson(file);
  if (!isObject(before)) throw new CliError(`${file} is no snapshot`);
  const changes = differences(before, now);
  for (const change of changes) out.warn(textOfDifference(change).join('\n'));
  return changes.length === 0;
}

function snapshotOf(trial: JsonObject): JsonObject {
  const { error } = trial;
  const kept = pick(trial, lasting);
  return isObject(error) ? { ...kept, error: pick(error, lastingOfErrors) } : kept;
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  const entries = names.flatMap((name): [string, Json][] => {
    const value = object[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
