import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect } from 'chai';

/** Runs where workers do: isolates want a process of their own kind (pool/spawn-worker.ts). Prints milliseconds. */
const script = `
  import ivm from 'isolated-vm';
  import { CompiledTexts } from '${import.meta.resolve('./compiled-texts.ts')}';
  const texts = new CompiledTexts();
  // Functions that are called at once are compiled with the script.
  const code = Array.from({ length: 20_000 }, (_, n) => '(function () { return ' + n + '; })();').join('');
  for (let run = 0; run < 4; run += 1) {
    const isolate = new ivm.Isolate();
    const context = isolate.createContextSync();
    const startedAt = isolate.cpuTime;
    texts.evaluate(isolate, context, 'large.js', code + '(() => {})');
    console.log(Number(isolate.cpuTime - startedAt) / 1e6);
  }
  process.kill(process.pid, 'SIGKILL');`;

describe('the texts of a worker process', () => {
  it('are compiled by its first isolate, for all others', async () => {
    const flags = ['--no-node-snapshot', '--conditions=source', '--input-type=module', '-e', script];
    const [ended] = await Promise.allSettled([
      promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname }),
    ]);
    const { stdout } = ((ended as PromiseRejectedResult).reason ?? {}) as { stdout?: string };
    const [first = 0, ...others] = (stdout ?? '').trim().split('\n').map(Number);
    expect(others).to.have.length(3);
    expect(Math.min(...others), `${first} ms, then ${others.join()} ms`).to.be.lessThan(first / 2);
  });
});
