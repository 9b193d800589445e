import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect } from 'chai';

/**
 * Runs where workers do: isolates want a process of their own kind (worker-process/spawn-worker.ts).
 * @param code whose value is a function
 * @returns milliseconds that each of four isolates takes to evaluate and call it
 */
async function timesOf(code: string, afterEach: string): Promise<number[]> {
  const script = `
    import ivm from 'isolated-vm';
    import { CompiledTexts } from '${import.meta.resolve('./compiled-texts.ts')}';
    const codeOf = () => ${code};
    const texts = new CompiledTexts({ fileOf: (name) => name + '.js', codeOf });
    for (let run = 0; run < 4; run += 1) {
      const isolate = new ivm.Isolate();
      const context = isolate.createContextSync();
      const startedAt = isolate.cpuTime;
      texts.evaluate(isolate, context, 'large').applySync(undefined, []);
      console.log(Number(isolate.cpuTime - startedAt) / 1e6);
      ${afterEach}
    }
    process.kill(process.pid, 'SIGKILL');`;
  const flags = ['--no-node-snapshot', '--conditions=source', '--input-type=module', '-e', script];
  const [ended] = await Promise.allSettled([
    promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname }),
  ]);
  const { stdout } = ((ended as PromiseRejectedResult).reason ?? {}) as { stdout?: string };
  return (stdout ?? '').trim().split('\n').map(Number);
}

function expectQuicker([first = 0, ...others]: readonly number[]): void {
  expect(others).to.have.length(3);
  expect(Math.min(...others), `${first} ms, then ${others.join()} ms`).to.be.lessThan(first / 2);
}

const numbers = 'Array.from({ length: 20_000 }, (_, n) => n)';

describe('the texts of a worker process', () => {
  it('are compiled by its first isolate, for all others', async () => {
    // Functions that are called at once are compiled with the script.
    const code = `${numbers}.map((n) => '(function () { return ' + n + '; })();').join('') + '(() => {})'`;
    expectQuicker(await timesOf(code, ''));
  });

  it('are compiled with the functions that were called in an isolate, once that was asked for', async () => {
    const declared = `${numbers}.map((n) => 'function f' + n + '() { return ' + n + '; }').join('')`;
    const called = `${numbers}.map((n) => 'f' + n + '();').join('')`;
    const code = `'(() => {' + ${declared} + 'return () => {' + ${called} + '}; })()'`;
    expectQuicker(await timesOf(code, 'texts.keepCalled(isolate);'));
  });
});
