import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestServer, http, listen } from './http-servers.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';

/** Waits until what a run left behind was due `ms` after its end, by the clock. */
async function untilDue(ms: number): Promise<void> {
  const due = performance.now() + ms;
  await until('that is due', () => performance.now() > due);
}

describe('an isolate that has served a run', () => {
  let runner: TestRunner;
  let server: TestServer;
  /** Requests that have come and are never answered. */
  let unanswered = 0;
  beforeEach(() => (unanswered = 0));
  before(async () => {
    runner = await startTestRunner({ limits: { wallMs: 5000 } });
    server = await listen(
      http(({ url }, response) => {
        if (url === '/never') unanswered += 1;
        else if (url === '/answered') response.end('answered');
        else response.end(String(unanswered));
      }),
    );
  });
  after(async () => {
    await runner[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** Its module counts its runs; each returns that beside what the body gives. */
  const code = (body: string, ahead = '') => `
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const immediate = () => new Promise((resolve) => setImmediate(resolve));
    const answerOf = (path) => new Promise((resolve, reject) => {
      require('http').get('${server.url}/' + path, async (response) => {
        let text = '';
        for await (const part of response) text += part;
        resolve(text);
      }).on('error', reject);
    });
    const untilUnanswered = async (count) => { while (Number(await answerOf('unanswered')) < count); };
    let runs = 0;
    ${ahead}
    module.exports = async (req) => {
      const value = await (async (run) => { ${body} })(runs += 1);
      return [runs, value];
    };`;

  const left: Readonly<Record<string, string>> = {
    'a timer that was unref’d': 'setTimeout(() => {}, 60).unref();',
    'an unref’d timer of timers/promises':
      'void require("timers/promises").setTimeout(60, 1, { ref: false });',
    'a signal that would abort later': 'AbortSignal.timeout(60);',
    'a timer': 'setTimeout(() => {}, 60);',
    'an interval': 'setInterval(() => {}, 5);',
    'an immediate': 'setImmediate(() => {});',
  };
  for (const [what, statement] of Object.entries(left)) {
    it(`has timers and immediates for the next when it was left with ${what}`, async () => {
      const text = code(`
        if (run === 1) { ${statement} return 'left'; }
        await sleep(80);
        await immediate();
        await sleep(5);
        return 'slept';`);
      expect(await runner.run(text)).to.deep.equal([1, 'left']);
      await untilDue(60);
      expect(await runner.run(text)).to.deep.equal([2, 'slept']);
      expect(await runner.run(text)).to.deep.equal([3, 'slept']);
    });
  }

  it('has timers again after a request with a time limit, of the library and of packages', async () => {
    const text = code(`
      const limited = { timeout: 1000 };
      await new Promise((resolve, reject) =>
        require('http').get('${server.url}/answered', limited, (response) => response.resume().on('end', resolve)).on('error', reject));
      const { data } = await require('axios').get('${server.url}/answered', limited);
      await sleep(5);
      return data;`);
    for (const run of [1, 2, 3]) {
      expect(await runner.run(text)).to.deep.equal([run, 'answered']);
      await untilDue(1000);
    }
  });

  it('keeps to the time limit of a request, whatever the run before has left', async () => {
    const text = code(`
      const path = run === 1 ? 'answered' : 'never';
      return require('axios').get('${server.url}/' + path, { timeout: 1000 }).then(({ data }) => data, ({ message }) => message);`);
    expect(await runner.run(text)).to.deep.equal([1, 'answered']);
    await untilDue(1000);
    expect(await runner.run(text)).to.deep.equal([2, 'timeout of 1000ms exceeded']);
  });

  const thrown: Readonly<Record<string, string>> = {
    immediate: `
      let later = 0;
      setImmediate(() => { throw new Error('thrown'); });
      setImmediate(() => { seen.push('of the run before'); });
      clearImmediate(setImmediate(() => {}));
      setImmediate(() => { seen.push('of the run before'); });`,
    timer: `
      setTimeout(() => { throw new Error('thrown'); }, 1);
      setTimeout(() => { seen.push('of the run before'); }, 1);
      setTimeout(() => { seen.push('of the run before'); }, 20);`,
    tick: `
      process.nextTick(() => { throw new Error('thrown'); });
      process.nextTick(() => { seen.push('of the run before'); });`,
  };
  for (const [kind, statements] of Object.entries(thrown)) {
    it(`goes on as ever after one in which an ${kind} has thrown with others behind it`, async () => {
      const text = code(
        `if (run === 2) { ${statements} await new Promise(() => {}); }
        await immediate();
        await sleep(30);
        return seen;`,
        'const seen = [];',
      );
      expect(await runner.run(text)).to.deep.equal([1, []]);
      const { errors } = await failureOf(runner.run(text));
      expect(errors['error']?.[0]).to.match(/^Error: thrown \(main\.js:/);
      expect(await runner.run(text)).to.deep.equal([3, []]);
    });
  }

  it('reports to code that waits for a connection that it ended with the run', async () => {
    const ahead = `
      const http = require('http');
      const agent = new http.Agent({ maxSockets: 1 });
      const get = (options) => new Promise((resolve) =>
        http.get('${server.url}/never', options, () => {}).on('error', ({ message, code }) => resolve([message, code])));
      let waiting;`;
    const text = code(
      `if (run === 1) {
        waiting = [get({}), get({ agent }), get({ agent }), require('axios').get('${server.url}/never').catch(({ code }) => [code])];
        await untilUnanswered(3);
        return 'left';
      }
      return Promise.all(waiting);`,
      ahead,
    );
    expect(await runner.run(text)).to.deep.equal([1, 'left']);
    const gone = ['socket hang up', 'ECONNRESET'];
    expect(await runner.run(text)).to.deep.equal([2, [gone, gone, gone, ['ECONNRESET']]]);
  });

  it('begins nothing of what that has made the run before try again', async () => {
    const text = code(
      `if (run > 1) return answerOf('unanswered');
      const get = () => require('axios').get('${server.url}/never').catch(get);
      void get();
      const again = () => require('http').get('${server.url}/never').on('error', again);
      again();
      await untilUnanswered(2);
      return answerOf('unanswered');`,
    );
    for (const run of [1, 2, 3]) expect(await runner.run(text)).to.deep.equal([run, '2']);
    expect(unanswered).to.equal(2);
  });

  it('goes on when that error has no listener', async () => {
    const text = code(`
      require('http').get('${server.url}/never');
      void require('axios').get('${server.url}/never');
      await untilUnanswered(run * 2);
      return 'left';`);
    for (const run of [1, 2, 3]) expect(await runner.run(text)).to.deep.equal([run, 'left']);
  });
});
