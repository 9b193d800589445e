// Runs the test files that match the given globs in one mocha run, and ends with `N passed, N failed`.
import { globSync } from 'node:fs';

import Mocha from 'mocha';

import { stopSharedSystem } from './harness/system.ts';

const files = globSync(process.argv.slice(2)).sort();
if (files.length === 0) throw new Error('no test file matches');

const mocha = new Mocha({ timeout: 60_000, reporter: process.env['CI'] ? 'dot' : 'spec', forbidOnly: true });
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();

let passed = 0;
let failed = 0;
let pending = 0;
mocha.globalTeardown(stopSharedSystem);
const runner = mocha.run(() => {
  const skipped = pending > 0 ? `, ${pending} skipped` : '';
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
runner.on('fail', () => {
  failed += 1;
});
runner.on('pending', () => {
  pending += 1;
});
