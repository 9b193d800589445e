import { expect } from 'chai';

import { type Message, type Packet, tesseractWorkers } from './tesseract-workers.ts';

/** Answers each packet at once, and remembers what it was told. */
class Script {
  readonly done: [action: string, of: unknown][] = [];
  adapter: { readCache(): Promise<unknown> } | undefined;

  setAdapter(adapter: object): void {
    this.adapter = adapter as Script['adapter'];
  }

  dispatchHandlers({ action, payload }: Packet, answer: (message: Message) => void): void {
    this.done.push([action, payload['of'] ?? payload['langs']]);
    answer({ status: action === 'detect' ? 'reject' : 'resolve' });
  }
}

const usualPath = 'https://languages.test';

function start() {
  const script = new Script();
  const spawn = tesseractWorkers({
    script,
    core: () => () => ({}),
    fetch: undefined,
    gunzip: undefined,
    languages: { eng: () => 'AAE=' },
    usualPath,
  });
  return { script, spawn };
}

const isNoLoad = ([action]: readonly [string, unknown]) => action !== 'load';
const passed = () => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

describe('workers of tesseract.js in one isolate', () => {
  it('share an engine that has the settings of the worker whose job it does', async () => {
    const { script, spawn } = start();
    const [one, other] = [spawn(), spawn()];
    for (const [worker, of] of [
      [one, 1],
      [other, 2],
    ] as const) {
      for (const action of ['load', 'initialize', 'setParameters']) worker.send({ action, payload: { of } });
    }
    for (const worker of [one, one, other]) worker.send({ action: 'recognize', payload: {} });
    await passed();
    expect(script.done.filter(isNoLoad).slice(4)).to.deep.equal([
      ['initialize', 1],
      ['setParameters', 1],
      ['recognize', undefined],
      ['recognize', undefined],
      ['initialize', 2],
      ['setParameters', 2],
      ['recognize', undefined],
    ]);
  });

  it('answer later, and not at all once they are ended', async () => {
    const { spawn } = start();
    const [one, other] = [spawn(), spawn()];
    const answers: unknown[] = [];
    one.on('message', ({ status }) => answers.push(status));
    other.on('message', ({ status }) => answers.push(['ended', status]));
    for (const worker of [one, other]) worker.send({ action: 'load', payload: {} });
    other.kill();
    expect(answers).to.deep.equal([]);
    await passed();
    expect(answers).to.deep.equal(['resolve']);
  });

  it('do no job before they are initialized, even if others are', async () => {
    const { script, spawn } = start();
    const [one, other] = [spawn(), spawn()];
    const answers: unknown[] = [];
    other.on('message', (message) => answers.push(message));
    one.send({ action: 'initialize', payload: {} });
    other.send({ action: 'recognize', payload: {} });
    await passed();
    expect(answers).to.deep.equal([
      { action: 'recognize', payload: {}, status: 'reject', data: 'not initialized' },
    ]);
    expect(script.done.filter(isNoLoad)).to.have.length(1);
  });

  it('load the engine once, before anything else, without being asked', async () => {
    const { script, spawn } = start();
    const [one, other] = [spawn(), spawn()];
    for (const worker of [one, other]) worker.send({ action: 'initialize', payload: {} });
    await passed();
    expect(script.done.map((entry) => entry[0])).to.deep.equal(['load', 'initialize', 'initialize']);
  });

  it('fail each job where the engine cannot be loaded', async () => {
    const { script, spawn } = start();
    script.dispatchHandlers = () => {
      throw new Error('no room');
    };
    const worker = spawn();
    const answers: unknown[] = [];
    worker.on('message', ({ status, data }) => answers.push([status, data]));
    worker.send({ action: 'initialize', payload: {} });
    await passed();
    expect(answers).to.deep.equal([['reject', 'Error: no room']]);
  });

  it('throw nothing where a job has failed, since its promise has', async () => {
    const { spawn } = start();
    const worker = spawn();
    let told = 0;
    worker.on('message', () => {
      told += 1;
      throw new Error('what tesseract.js throws without an errorHandler');
    });
    worker.send({ action: 'detect', payload: {} });
    await passed();
    expect(told).to.equal(1);
  });

  it('have the languages that are here at hand, unless they are to come from elsewhere', async () => {
    const { script, spawn } = start();
    const worker = spawn();
    const load = (langs: unknown, langPath: string) =>
      worker.send({ action: 'loadLanguage', payload: { langs, options: { langPath } } });
    load('eng+deu', usualPath);
    load(['eng', { code: 'x' }], usualPath);
    load('eng', 'https://own.test');
    await passed();
    const eng = { code: 'eng', data: Buffer.from([0, 1]) };
    expect(script.done.filter(isNoLoad).map(([, of]) => of)).to.deep.equal([
      [eng, 'deu'],
      [eng, { code: 'x' }],
      'eng',
    ]);
    await script.adapter?.readCache().then(
      () => expect.fail(),
      () => {},
    );
  });
});
