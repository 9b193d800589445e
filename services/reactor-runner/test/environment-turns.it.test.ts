import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

describe('the event loop of user code', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner();
  });
  after(() => runner[Symbol.asyncDispose]());

  /** What an async function with this body returns. */
  const valueOf = (body: string) => runner.run(`module.exports = async (req) => {\n${body}\n};`);

  it('runs ticks, microtasks, timers and immediates in the order of Node.js', async () => {
    const order = await valueOf(`
      const order = [];
      setTimeout(() => { order.push('timer 1'); Promise.resolve().then(() => order.push('its microtask')); process.nextTick(() => order.push('its tick')); }, 1);
      setTimeout(() => order.push('timer 2'), 1);
      Promise.resolve().then(() => order.push('microtask'));
      queueMicrotask(() => order.push('queued microtask'));
      process.nextTick(() => order.push('tick'));
      order.push('main');
      await new Promise((resolve) => setTimeout(() => setImmediate(resolve), 20));
      return order;`);
    expect(order).to.deep.equal([
      'main',
      'tick',
      'microtask',
      'queued microtask',
      'timer 1',
      'its tick',
      'its microtask',
      'timer 2',
    ]);
  });

  it('lets nothing that goes on after the end of a run reach the next', async () => {
    const code = `
      const fired = [];
      let runs = 0;
      const later = async (run) => {
        for (let i = 0; i < 50; i += 1) await null;
        setTimeout(() => fired.push(run), 0);
        setImmediate(() => fired.push(run));
      };
      module.exports = async () => {
        runs += 1;
        later(runs);
        if (runs > 1) await new Promise((resolve) => setTimeout(resolve, 30));
        return fired;
      };`;
    expect(await runner.run(code)).to.deep.equal([]);
    expect(await runner.run(code)).to.deep.equal([2, 2]);
    expect(await runner.run(code)).to.deep.equal([2, 2, 3, 3]);
  });

  describe('tells listeners of unhandledRejection', () => {
    /** What they get when these expressions are rejected, one a turn. */
    const told = (reasons: string, before = '') =>
      valueOf(`
        const [seen, held] = [[], []];
        ${before}
        process.on('unhandledRejection', (reason, promise) => seen.push([reason, promise]));
        const reasons = ${reasons};
        for (const reason of reasons) {
          held.push((async () => { throw reason; })());
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return seen.map(([reason, promise], i) =>
          [reason === reasons[i], promise instanceof Promise, String(reason && reason.message), reason instanceof reasons[i].constructor]);`);

    it('with the very error that was not handled', async () => {
      const own = `new (class Own extends Error {})('own')`;
      const read = `(() => { const error = new Error('read'); error.stack; return error; })()`;
      expect(await told(`[new Error('one'), new TypeError('two'), ${own}, ${read}]`)).to.deep.equal(
        ['one', 'two', 'own', 'read'].map((message) => [true, true, message, true]),
      );
    });

    it('with its like, when its stack had been read before there was one', async () => {
      const before = `const early = new RangeError('early'); early.stack;`;
      expect(await told('[early]', before)).to.deep.equal([[false, true, 'early', true]]);
    });

    it('with a value that is no object, and with the news that it is one and no error', async () => {
      const value = await valueOf(`
        const [seen, held] = [[], []];
        process.on('unhandledRejection', (reason) => seen.push(typeof reason === 'object' && reason ? reason.message : String(reason)));
        for (const reason of [7, 'text', undefined, null, 5n, { a: 1 }]) {
          held.push(Promise.reject(reason));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return seen;`);
      const news = 'Unhandled rejection with an object that is not an Error.';
      expect(value).to.deep.equal(['7', 'text', 'undefined', 'null', '5', news]);
    });

    it('and what they throw fails the run, as an uncaught exception does', async () => {
      const failure = await failureOf(
        valueOf(`
          process.on('unhandledRejection', (reason) => { throw reason; });
          const held = Promise.reject(new Error('left'));
          await new Promise((resolve) => setTimeout(resolve, 500));`),
      );
      expect(failure.errors).to.deep.equal({ error: ['Error: left (main.js:4:39)'] });
    });

    it('and shows nothing of the host, whatever has become of the stack', async () => {
      const value = await valueOf(`
        const [seen, held] = [[], []];
        process.on('unhandledRejection', (reason) => seen.push(reason.stack));
        const own = (stack) => Object.assign(new Error('own'), { stack });
        for (const reason of [own(undefined), own('mine'), own(7), { message: 'm' }, { stack: 's' }, () => 1]) {
          held.push(Promise.reject(reason));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return seen;`);
      const news = 'Error: Unhandled rejection with an object that is not an Error.';
      const words = ['Error: own', 'Error: own', 'Error: own', 'Error: m', 'Error: ', news];
      expect(value).to.deep.equal(words);
    });

    it('and not for one that is handled', async () => {
      const value = await valueOf(`
        const seen = [];
        process.on('unhandledRejection', (reason) => seen.push(reason.message));
        const handled = Promise.reject(new Error('handled'));
        handled.catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 20));
        return seen;`);
      expect(value).to.deep.equal([]);
    });
  });
});
