// Runs the test files that match the given globs in one mocha run, and ends with `N passed, N failed`.
import { globSync } from 'node:fs';
import { relative } from 'node:path';

import Mocha from 'mocha';

import { stopSharedSystem } from './harness/system.ts';

const patterns = process.argv.slice(2);
// A soak runs only by its name.
const isAsked = (file: string) => !file.endsWith('.soak.it.test.ts') || patterns.includes(file);
const files = globSync(patterns).filter(isAsked).sort();
if (files.length === 0) throw new Error('no test file matches');

const mocha = new Mocha({ timeout: 60_000, reporter: process.env['CI'] ? 'dot' : 'spec', forbidOnly: true });
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();

let passed = 0;
let failed = 0;
let pending = 0;
const slowest = new Map<string, number>();
let current = { file: '', since: Date.now() };
mocha.globalTeardown(stopSharedSystem);
const runner = mocha.run(() => {
  const skipped = pending > 0 ? `, ${pending} skipped` : '';
  enter('');
  const slow = [...slowest].sort(([, one], [, other]) => other - one).slice(0, 12);
  process.stdout.write(`\nthe slowest files:\n`);
  for (const [file, ms] of slow) process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`);
  for (const remark of remarks) process.stdout.write(`${remark}\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped}\n`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
  // A test that leaves something open must not hang the run; what it was is worth knowing.
  setTimeout(() => {
    process.stderr.write(`still open after the run: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit();
  }, 5000).unref();
});
runner.on('pass', () => {
  passed += 1;
});
const remarks: string[] = [];
runner.on('fail', (test, error: Error) => {
  failed += 1;
  remarks.push(`failed: ${test.fullTitle()}: ${inOneLine(error.stack ?? error.message)}`);
});
runner.on('pending', (test) => {
  pending += 1;
  remarks.push(`skipped: ${test.fullTitle()}`);
});
runner.on('suite', ({ file, parent }) => {
  if (file !== undefined && parent?.root === true) enter(relative(process.cwd(), file));
});

/** Counts the time since the file before began to that one. */
function enter(file: string): void {
  const now = Date.now();
  if (current.file !== '') slowest.set(current.file, (slowest.get(current.file) ?? 0) + now - current.since);
  current = { file, since: now };
}

const inOneLine = (message: string) => message.replaceAll(/\s+/g, ' ').slice(0, 600);
