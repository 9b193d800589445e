import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import type { Library } from '../../src/sandbox/isolated-vm/library.ts';
import { UserIsolate } from '../../src/sandbox/isolated-vm/user-isolate.ts';
import { Watchdog } from '../../src/sandbox/isolated-vm/watchdog.ts';
import type { TextOutcome } from '../../src/worker-protocol/outcome.ts';
import { commonText } from './common.ts';
import type { TestFile } from './eligible.ts';

const limits = { cpuMs: 15_000, btRequestsAtOnce: 1, btRequestsPerCall: 1, btRequestBytes: 1 };
const watchdog = new Watchdog();
const limitMs = 15_000;
const maxFixtureBytes = 256 * 1024;

/** Runs one test file as user code; what is wrong, or undefined when it passes. */
export async function runFile(
  file: TestFile,
  library: Library,
  fixtures: string,
): Promise<string | undefined> {
  const isolate = new UserIsolate(
    { ...limits, memoryMb: 256, resultLength: 10_000, logLength: 10_000, logLines: 1000 },
    library,
    watchdog,
  );
  try {
    const outcome = await outcomeOf(isolate, moduleOf(file, fixtures));
    if (outcome.kind === 'returned') return undefined;
    if (outcome.kind !== 'threw') return outcome.kind;
    const { name, message, stack } = JSON.parse(outcome.thrown) as Record<string, string>;
    return `${name}: ${message}\n${stack}`;
  } finally {
    isolate.dispose();
  }
}

async function outcomeOf(isolate: UserIsolate, code: string): Promise<TextOutcome> {
  const outcome = isolate.load(code, limitMs) ?? isolate.start('{}', limitMs);
  if (outcome !== undefined) return outcome;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'timeout' }), limitMs);
    isolate.onTimer = () => {
      const later = isolate.resume(limitMs);
      if (later === undefined) return;
      clearTimeout(timer);
      resolve(later);
    };
  });
}

/** The test in a module function of its own, and a wait until nothing keeps a process alive. */
function moduleOf({ name, text }: TestFile, fixtures: string): string {
  const wrap = (code: string) => `function (exports, require, module, __filename, __dirname) {${code}\n}`;
  return `
    const outer = require;
    const setTimeout_ = setTimeout;
    const modules = { common: ${wrap(commonText)}, fixtures: ${wrap(fixturesText(text, fixtures))} };
    const cache = {};
    const load = (id) => {
      const match = /^(?:\\.\\.\\/common|\\.)(?:\\/(index|fixtures))?(?:\\.js)?$/.exec(id);
      if (match === null) return outer(id);
      const key = match[1] === 'fixtures' ? 'fixtures' : 'common';
      if (cache[key] === undefined) {
        cache[key] = { exports: {} };
        modules[key](cache[key].exports, load, cache[key]);
      }
      return cache[key].exports;
    };
    const test = ${wrap(text)};
    const proc = process;
    const ended = {};
    process.exit = (code) => { if (code !== undefined) process.exitCode = code; throw ended; };
    const active = () => proc.getActiveResourcesInfo().length > 0;
    const idle = () => new Promise((resolve) => {
      const look = (n) => setTimeout_(() => { if (active()) look(3); else if (n > 0) look(n - 1); else resolve(); }, 3).unref();
      look(3);
    });
    const end = () => {
      proc.nextTick = () => {};
      proc._exiting = true;
      try { proc.emit('exit', proc.exitCode || 0); } catch (error) { if (error !== ended) throw error; }
      if (proc.exitCode) throw new Error('exit code ' + proc.exitCode);
      load('../common').finish();
      return 'passed';
    };
    module.exports = async () => {
      const module = { exports: {}, children: [], filename: '/test/parallel/${name}' };
      load.main = module;
      try { test.call(module.exports, module.exports, load, module, '/test/parallel/${name}', '/test/parallel'); }
      catch (error) { if (error === ended) return end(); if (error && error.isSkip) return 'skipped'; if (!process.emit('uncaughtException', error, 'uncaughtException')) throw error; }
      for (let round = 0; round < 20; round += 1) {
        await idle();
        try { proc.emit('beforeExit', proc.exitCode || 0); } catch (error) { if (error === ended) return end(); throw error; }
        await null;
        if (!active()) break;
      }
      return end();
    };`;
}

/** Stands for \`test/common/fixtures\`: the keys, when the test reads any. */
function fixturesText(test: string, folder: string): string {
  const files: Record<string, string> = {};
  if (test.includes('fixtures')) {
    const add = (name: string) => {
      const file = path.join(folder, name);
      const stats = statSync(file);
      if (stats.isFile() && stats.size < maxFixtureBytes) files[name] = readFileSync(file).toString('base64');
    };
    for (const name of readdirSync(path.join(folder, 'keys'))) add(`keys/${name}`);
    for (const name of readdirSync(folder).filter((name) => name.includes('.') && test.includes(name)))
      add(name);
  }
  return `
    const files = ${JSON.stringify(files)};
    const read = (args, encoding) => {
      const name = args.flat().join('/').replace(/^\\//, '');
      if (files[name] === undefined) throw new Error('no fixture ' + name);
      const bytes = Buffer.from(files[name], 'base64');
      return encoding ? bytes.toString(encoding) : bytes;
    };
    module.exports = {
      path: (...args) => '/test/fixtures/' + args.join('/'),
      readSync: (args, encoding) => read([].concat(args), encoding),
      readKey: (name, encoding) => read(['keys', name], encoding),
      utf8TestText: '永和九年，嵗在癸丑，暮春之初，會於會稽山隂之蘭亭，脩稧（禊）事也。',
      utf8TestTextPath: '/test/fixtures/utf8_test_text.txt',
    };`;
}
