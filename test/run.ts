// `npm test`: runs every test of the workspace in one mocha run and ends with `N passed, N failed`.
// `npm test -- <glob> …` runs only the files that match.
import { globSync } from 'node:fs';

import Mocha from 'mocha';

import { stopSharedSystem } from './harness/system.ts';

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(`the tests need Node 24, this is ${process.version}: run them through npm`);
}

const everything = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'services/*/src/**/*.test.ts',
  'services/*/test/**/*.test.ts',
  'deploy/local/src/**/*.test.ts',
  'deploy/k8s/test/**/*.test.ts',
  'test/fences/**/*.test.ts',
  'test/stories/**/*.test.ts',
];
const patterns = process.argv.slice(2);
const files = globSync(patterns.length > 0 ? patterns : everything).sort();
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
