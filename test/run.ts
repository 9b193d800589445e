// `npm test`: runs every test of the workspace and ends with `N passed, N failed`.
// `npm test -- <glob> …` runs only the files that match. A soak (`*.soak.it.test.ts`) runs only by its whole name.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

import { groups } from './groups.ts';

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(`the tests need Node 24, this is ${process.version}: run them through npm`);
}

const lanes = 3;
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/compile');

interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed or was skipped, a line each. */
  readonly remarks: readonly string[];
}

const asked = process.argv.slice(2);
const waiting = asked.length > 0 ? [asked] : [...groups];
const results: Result[] = [];
await Promise.all(Array.from({ length: lanes }, runLane));

const sum = (of: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[of], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
// The beginning of a long run scrolls away: its failures are repeated at the end.
if (asked.length === 0) process.stdout.write(`\n${results.flatMap(({ remarks }) => remarks).join('\n')}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

async function runLane(): Promise<void> {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    results.push(await runGroup(group));
  }
}

/** What a group says is shown as it comes when it is the only one, and else whole, when it has ended. */
function runGroup(patterns: readonly string[]): Promise<Result> {
  const child = spawn(process.execPath, ['--conditions=source', 'test/run-files.ts', ...patterns], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const since = performance.now();
  const alone = asked.length > 0;
  const hear = (chunk: Buffer) => {
    if (alone) process.stdout.write(chunk);
    said += chunk.toString();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return new Promise((done) => {
    child.once('close', (code) => {
      const took = `${((performance.now() - since) / 1000).toFixed(0)} s`;
      if (!alone) process.stdout.write(`\n=== ${patterns.join(' ')} (${took})\n${said}`);
      done(read(patterns.join(' '), said, code));
    });
  });
}

/** A group that ends before its last line, or badly after it, has failed. */
function read(group: string, said: string, code: number | null): Result {
  const line = [...said.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  const result = {
    passed: Number(line?.[1] ?? 0),
    failed: Number(line?.[2] ?? 0),
    skipped: Number(line?.[3] ?? 0),
    remarks: said.match(/^(?:failed|skipped): .*$/gm) ?? [],
  };
  if (code === 0 || result.failed > 0) return result;
  return { ...result, failed: 1, remarks: [...result.remarks, `failed: ${group} ended with ${code}`] };
}
