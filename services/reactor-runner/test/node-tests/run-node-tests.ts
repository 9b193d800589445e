// How much of Node's own tests passes inside an isolate:
//   node --conditions=source services/reactor-runner/test/node-tests/run-node-tests.ts <test/parallel of Node.js> <node 16> [name part] [-v]
// The files are Node's and are not kept here; those count that a real Node.js 16 passes.
/* oxlint-disable no-console */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { prepareLibrary } from '../../src/node16/library/prepare-library.ts';
import { Library } from '../../src/sandbox/isolated-vm/library.ts';
import { type TestFile, areaOf, eligibleTests } from './eligible.ts';
import { runFile } from './run-file.ts';

const flags = ['--no-node-snapshot', '--js-base-64', '--openssl-legacy-provider'];
const [folder, node16, part = '', verbose] = process.argv.slice(2);
if (folder === undefined || node16 === undefined)
  throw new Error('usage: run-node-tests.ts <test/parallel> <node 16> [name part] [-v]');
if (flags.some((flag) => !process.execArgv.includes(flag))) {
  const args = ['--conditions=source', ...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const { status, signal } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exit(status ?? (signal === 'SIGKILL' ? 0 : 1));
}

const list = path.join(folder, '../eligible.json');
const names = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as string[]) : undefined;
const tests: TestFile[] =
  names?.map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') })) ??
  (await eligibleTests(folder, node16));
if (names === undefined) writeFileSync(list, JSON.stringify(tests.map(({ name }) => name)));

const library = new Library(await prepareLibrary(), undefined);
const tally = new Map<string, { passed: number; all: number }>();
for (const test of tests.filter(({ name }) => name.includes(part))) {
  const problem = await runFile(test, library, path.join(folder, '../fixtures'));
  for (const area of [areaOf(test.name), 'all']) {
    const counts = tally.get(area) ?? { passed: 0, all: 0 };
    tally.set(area, { passed: counts.passed + (problem === undefined ? 1 : 0), all: counts.all + 1 });
  }
  if (problem !== undefined)
    console.log(
      `${test.name}: ${problem
        .split('\n')
        .slice(0, verbose === undefined ? 1 : 12)
        .join('\n')}`,
    );
}
for (const [area, { passed, all }] of [...tally].sort(([a], [b]) => a.localeCompare(b))) {
  console.log(`${area.padEnd(16)} ${passed} of ${all}  ${((100 * passed) / all).toFixed(1)} %`);
}
// The thread of the isolates' watchdog keeps a process from ending in the ordinary way.
process.kill(process.pid, 'SIGKILL');
