import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect } from 'chai';

interface Ports {
  readonly port: number;
  readonly internalPort: number;
}

/** A service that nothing has asked for anything so far. */
async function startFailing() {
  const file = join(import.meta.dirname, 'uncaught-process.ts');
  const child: ChildProcess = spawn(process.execPath, ['--conditions=source', file], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const closed = once(child, 'close');
  const [{ port, internalPort }] = (await once(child, 'message')) as [Ports];
  const fetchText = async (path: string) => (await fetch(`http://127.0.0.1:${internalPort}${path}`)).text();
  return {
    fetchText,
    /** Resolves when the process has the request. */
    async ask() {
      const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
      await once(child, 'message');
      return { answer };
    },
    tell: (message: string) => child.send(message),
    async uncaught() {
      return /^glovebox_uncaught_total\{.*\} (\d+)$/m.exec(await fetchText('/metrics'))?.[1];
    },
    /** Resolves when the process is gone. */
    async end() {
      const [code] = (await closed) as [number | null];
      return { code, output, line: JSON.parse(output.split('\n')[0] ?? '') as Record<string, unknown> };
    },
    async untilDraining() {
      while (!(await fetchText('/readyz')).includes('about to end')) await new Promise(setImmediate);
    },
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  };
}

describe('an error that nothing catches', () => {
  for (const origin of ['exception', 'rejection']) {
    it(`drains the process and is counted and logged: ${origin}`, async () => {
      using service = await startFailing();
      expect(await service.uncaught()).to.equal('0');
      const { answer } = await service.ask();
      service.tell(origin);
      await service.untilDraining();
      expect(await service.uncaught()).to.equal('1');
      service.tell('release');
      expect(await answer).to.equal('answered');
      const { code, line } = await service.end();
      expect(code).to.equal(1);
      expect(line).to.include({ level: 'fatal', service: 'failing' });
      expect(line['origin']).to.equal(origin === 'exception' ? 'uncaughtException' : 'unhandledRejection');
      expect(line['err']).to.include({ type: 'Error', message: 'it broke' });
      if (origin === 'exception')
        expect(line['err']).to.have.nested.property('cause.message', 'what it got was wrong');
    });
  }

  it('keeps the process until the count has been scraped', async () => {
    using service = await startFailing();
    expect(await service.uncaught()).to.equal('0');
    service.tell('exception');
    await service.untilDraining();
    expect(await service.uncaught()).to.equal('1');
    expect((await service.end()).code).to.equal(1);
  });

  it('ends at once a process whose metrics nobody reads', async function () {
    // Less than it would wait for them.
    this.timeout(15_000);
    using service = await startFailing();
    service.tell('exception');
    expect((await service.end()).code).to.equal(1);
  });

  it('does not end the drain when it comes again, and is counted again', async () => {
    using service = await startFailing();
    await service.uncaught();
    const { answer } = await service.ask();
    service.tell('exception');
    service.tell('rejection');
    await service.untilDraining();
    while ((await service.uncaught()) !== '2') await new Promise(setImmediate);
    service.tell('release');
    expect(await answer).to.equal('answered');
    expect((await service.end()).code).to.equal(1);
  });

  it('has nothing logged of a value that is no error', async () => {
    using service = await startFailing();
    service.tell('value');
    const { code, output, line } = await service.end();
    expect(code).to.equal(1);
    expect(line['err']).to.include({ message: 'a value that is not an Error was thrown' });
    expect(output).to.not.contain('hunter2');
  });
});
