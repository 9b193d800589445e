import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

const loggerUrl = JSON.stringify(new URL('logger.ts', import.meta.url));
const start = `const { createLogger } = await import(${loggerUrl});
const logger = createLogger({ service: 'test', level: 'info' });`;

function run(program: string) {
  const args = ['--conditions=source', '--input-type=module', '-e', start + program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  return { child, output: text(child.stdout) };
}

const numbersOf = (output: string) =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { n: number }).n);

describe('log output', () => {
  const ends = {
    'returns from its last task': '',
    'calls process.exit': 'process.exit(0);',
    'throws what nobody catches': 'throw new Error("end");',
  };
  for (const [how, end] of Object.entries(ends)) {
    it(`has every line, in order, when the process ${how}`, async () => {
      const { output } = run(`for (let n = 0; n < 1000; n += 1) logger.info({ n }); ${end}`);
      expect(numbersOf(await output)).to.deep.equal(Array.from({ length: 1000 }, (_, n) => n));
    });
  }

  it('has a line soon, without another that follows', async () => {
    const { child } = run('logger.info({ n: 1 }); setInterval(() => undefined, 60_000);');
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGKILL');
    expect(numbersOf(chunk.toString())).to.deep.equal([1]);
  });
});
