import { expect } from 'chai';

import { expectSoon } from '../../../test/harness/expect-soon.ts';
import { type BtPool, startBtPool } from './bt-pool.ts';
import { until } from './until.ts';

/** `bt` in real isolates and workers; what is behind it is the test's. Over the whole system: test/stories/bt. */
describe('bt within user code', () => {
  let pool: BtPool;
  before(async () => {
    pool = await startBtPool();
  });
  after(() => pool[Symbol.asyncDispose]());
  beforeEach(() => {
    pool.asked.length = 0;
    pool.answer = async () => ({ status: 200, body: {} });
  });

  const valueOf = async (body: string, argument: unknown = {}) =>
    (await pool.run(`module.exports = async (req) => {\n${body}\n};`, { argument })).value;

  it('asks and is answered, with the conversions of the client', async () => {
    pool.answer = async () => ({ status: 201, body: { id: 't', created_at: 'now', data: { some_key: 1 } } });
    const value = await valueOf(
      `return req.bt.tokens.create({ type: 'token', data: { aB: 'ü€😀\\n' }, searchIndexes: [] });`,
    );
    expect(value).to.deep.equal({ id: 't', createdAt: 'now', data: { some_key: 1 } });
    const [{ method, path, headers, body } = pool.asked[0]!] = pool.asked;
    expect([method, path]).to.deep.equal(['POST', '/tokens/']);
    expect(JSON.parse(body)).to.deep.equal({ type: 'token', data: { aB: 'ü€😀\n' }, search_indexes: [] });
    expect(headers).to.deep.equal({
      Accept: 'application/json, text/plain, */*',
      'Content-Type': 'application/json',
    });
  });

  it('passes on the options of the one call', async () => {
    await valueOf(`return req.bt.tokens.delete('a', { apiKey: 'key_1', correlationId: 'trace' });`);
    expect(pool.asked[0]?.headers).to.include({ 'SVC-API-KEY': 'key_1', 'SVC-TRACE-ID': 'trace' });
  });

  it('throws what the client throws, at the place in the user’s code', async () => {
    pool.answer = async () => ({ status: 403, body: { title: 'Forbidden', errors: { some_field: ['x'] } } });
    const value = await valueOf(`
      try { await req.bt.tokens.retrieve('a'); }
      catch (error) {
        const { GloveboxApiError } = require('@glovebox/sdk');
        return [error instanceof GloveboxApiError, error instanceof Error, error.name, error.status, error.data,
          /at async module.exports \\(main\\.js:3:/.test(error.stack), /file:|\\/src\\//.test(error.stack)];
      }`);
    expect(value).to.deep.equal([
      true,
      true,
      'BasisTheoryApiError',
      403,
      { title: 'Forbidden', errors: { someField: ['x'] } },
      true,
      false,
    ]);
  });

  it('is of the module that require gives, also in another copy of it that is made by the code', async () => {
    const value = await valueOf(`
      const sdk = require('@glovebox/sdk');
      const own = new sdk.Glovebox();
      const refused = await own.tokens.retrieve('a').catch((error) => error.message);
      const noFetch = await own.init('key', { apiBaseUrl: 'https://x.example' }).catch((error) => error.message);
      return [req.bt instanceof sdk.Glovebox, sdk === require('@glovebox/sdk'), refused, noFetch];`);
    expect(value).to.deep.equal([
      true,
      true,
      'This instance is not initialised: await init(apiKey, options) first.',
      'There is no global fetch here: set the option fetch or transport.',
    ]);
  });

  it('leaves no trace in JSON, and is otherwise a property like any other', async () => {
    const value = await valueOf(
      `const { args, bt } = req;
      return { json: JSON.stringify(req), keys: Object.keys(req), copied: { ...req }.bt === bt,
        own: Object.keys(Object.getOwnPropertyDescriptor(req, 'bt')).sort() };`,
      { args: 1 },
    );
    expect(value).to.deep.equal({
      json: '{"args":1}',
      keys: ['args', 'bt'],
      copied: true,
      own: ['configurable', 'enumerable', 'value', 'writable'],
    });
  });

  it('says so when it cannot be had, to code that uses it', async () => {
    await using bare = await startBtPool({ packagesFile: undefined as unknown as string });
    expect((await bare.run('module.exports = (req) => JSON.stringify(Object.keys(req))')).value).to.equal(
      '["bt"]',
    );
    expect((await bare.run('module.exports = async ({ bt }) => bt')).value).to.equal(
      'Error: The package @glovebox/sdk is not installed on this runner',
    );
  });

  it('belongs to its invocation, and is dead in the next one', async () => {
    const code = `let kept;
      module.exports = async ({ bt, args }) => {
        if (args === 'first') { kept = bt; return; }
        return kept.tokens.retrieve('a').catch((error) => [kept === bt, error.status, error.message]);
      };`;
    await pool.run(code, { argument: { args: 'first' } });
    expect((await pool.run(code, { argument: { args: 'second' } })).value).to.deep.equal([
      false,
      -1,
      'Request failed without an answer: the run that this client was made for has ended',
    ]);
    expect(pool.asked).to.deep.equal([]);
  });

  it('ends what is under way when its invocation does', async () => {
    pool.answer = () => new Promise(() => {});
    const left =
      'module.exports = async ({ bt }) => { void bt.tokens.delete("a").catch(() => {}); return 1; };';
    expect((await pool.run(left)).value).to.equal(1);
    expect(pool.asked).to.have.length(1);
    expect(pool.asked[0]?.signal.aborted).to.equal(true);
  });

  it('reports nothing after that except its end', async () => {
    const late: (() => void)[] = [];
    pool.answer = () =>
      new Promise((resolve) => late.push(() => resolve({ status: 200, body: { id: 'late' } })));
    const code = `let seen = [];
      module.exports = async ({ bt, args }) => {
        void bt.tokens.retrieve('x').then((token) => seen.push(token), (error) => seen.push(error.message));
        if (args > 0) await new Promise((resolve) => setTimeout(resolve, 30));
        return seen;
      };`;
    await pool.run(code, { argument: { args: 0 } });
    for (const resolve of late) resolve();
    expect((await pool.run(code, { argument: { args: 1 } })).value).to.deep.equal([
      'Request failed without an answer: the run that this client was made for has ended',
    ]);
  });

  it('is cancelled with its caller', async () => {
    pool.answer = () => new Promise(() => {});
    const gone = new AbortController();
    const run = pool.run('module.exports = ({ bt }) => bt.tokens.retrieve("a")', { signal: gone.signal });
    await until('it has asked', () => pool.asked.length === 1);
    gone.abort();
    expect((await run).kind).to.equal('cancelled');
    expect(pool.asked[0]?.signal.aborted).to.equal(true);
  });

  it('does not stretch the time of its invocation', async () => {
    await using hasty = await startBtPool();
    hasty.answer = () => new Promise(() => {});
    await hasty.run('module.exports = () => 1');
    await expectSoon({ atLeast: 4900, atMost: 6500 }, async () => {
      const { kind } = await hasty.run('module.exports = ({ bt }) => bt.tokens.retrieve("a")');
      expect(kind).to.equal('timeout');
    });
  });

  it('has others run while it waits', async () => {
    let free = () => {};
    pool.answer = () => new Promise((resolve) => (free = () => resolve({ status: 200, body: {} })));
    const waiting = pool.run('module.exports = ({ bt }) => bt.tokens.retrieve("a")');
    await until('it has asked', () => pool.asked.length === 1);
    expect((await pool.run('module.exports = () => 2')).value).to.equal(2);
    free();
    expect((await waiting).value).to.deep.equal({});
  });

  it('gives every answer to the call that it is for', async () => {
    pool.answer = async ({ path }) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return { status: 200, body: { id: path.slice('/tokens/'.length) } };
    };
    const code = `module.exports = async ({ bt, args }) => {
      const ids = Array.from({ length: 20 }, (_, n) => args + '-' + n);
      const tokens = await Promise.all(ids.map((id) => bt.tokens.retrieve(id)));
      return tokens.every(({ id }, n) => id === ids[n]);
    };`;
    const runs = Array.from({ length: 30 }, (_, n) =>
      pool.run(code, { argument: { args: `run${n}` }, tenant: n % 2 === 0 ? 'a' : 'b' }),
    );
    for (const { value } of await Promise.all(runs)) expect(value).to.equal(true);
    for (const { path, tenantId } of pool.asked) {
      expect(Number(/run(\d+)/.exec(path)?.[1]) % 2 === 0 ? 'a' : 'b').to.equal(tenantId);
    }
  });

  describe('is bounded', () => {
    it('in how much is under way at once: the rest waits its turn', async () => {
      let [open, most] = [0, 0];
      pool.answer = async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setTimeout(resolve, 2));
        open -= 1;
        return { status: 200, body: {} };
      };
      const flood = `const all = Array.from({ length: 100 }, () => req.bt.tokenize(1));
        return (await Promise.all(all)).length;`;
      expect(await valueOf(flood)).to.equal(100);
      expect(most).to.equal(8);
    });

    it('in how much one invocation asks for in all', async () => {
      const flood = `const all = Array.from({ length: 5000 }, () => req.bt.tokenize(1));
        const statuses = (await Promise.allSettled(all)).map(({ reason }) => reason?.status ?? 200);
        const error = await req.bt.tokenize(1).catch((error) => error.data.detail);
        return [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length, error];`;
      expect(await valueOf(flood)).to.deep.equal([100, 4900, 'One run may make at most 100 calls by bt.']);
      expect(pool.asked).to.have.length(100);
      expect(await valueOf(`return (await req.bt.tokenize(1), 'the next may again')`)).to.equal(
        'the next may again',
      );
    });

    it('so that a neighbour loses no call to a flood', async () => {
      const flood = `module.exports = async ({ bt }) => {
        await Promise.allSettled(Array.from({ length: 3000 }, () => bt.tokenize('x'.repeat(1000))));
      };`;
      const floods = Promise.allSettled(
        Array.from({ length: 40 }, () => pool.run(flood, { tenant: 'flood' })),
      );
      const steady = `module.exports = async ({ bt }) => (await bt.tokens.retrieve('a'), 1)`;
      for (let n = 0; n < 100; n += 1) {
        expect((await pool.run(steady, { tenant: 'neighbour' })).value).to.equal(1);
      }
      for (const flooding of await floods) {
        // The flood itself may wait too long.
        const end = flooding.status === 'fulfilled' ? flooding.value.kind : flooding.reason.code;
        expect(end).to.be.oneOf(['returned', 'timeout', 'deadline_exceeded']);
      }
      expect(pool.asked.filter(({ tenantId }) => tenantId === 'flood').length).to.be.at.most(40 * 100);
    });

    it('in the size of what it asks', async () => {
      const large = `return req.bt.tokenize('x'.repeat(req.args)).catch((error) => [error.status, error.message])`;
      expect(await valueOf(large, { args: 199_000 })).to.deep.equal({});
      expect(await valueOf(large, { args: 300_000 })).to.deep.equal([
        413,
        'Request failed with status code 413',
      ]);
      const wide = `return req.bt.tokenize('ü'.repeat(150000)).catch((error) => [error.status, error.message])`;
      expect(await valueOf(wide)).to.deep.equal([
        -1,
        'Request failed without an answer: a call by bt may have at most 200000 bytes',
      ]);
    });
  });

  describe('shows nothing of ours', () => {
    it('in whatever can be reached from it', async () => {
      const walk = `
        const seen = new Set(), found = [];
        const visit = (value, path) => {
          if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
          seen.add(value);
          if (!(value instanceof Object) && Object.getPrototypeOf(value) !== null) found.push(path + ' is of another realm');
          if (typeof value === 'function' && value !== Function.prototype && !(value instanceof Function)) found.push(path + ' is a foreign function');
          for (const key of Reflect.ownKeys(value)) {
            const { value: inner, get } = Object.getOwnPropertyDescriptor(value, key);
            const at = path + '.' + String(key);
            visit(inner, at); visit(get, at);
          }
          visit(Object.getPrototypeOf(value), path + '.__proto__');
        };
        visit(req.bt, 'bt');
        const error = await req.bt.tokens.retrieve('').catch((error) => error);
        visit(error, 'error');
        return [found, seen.size > 100];`;
      expect(await valueOf(walk)).to.deep.equal([[], true]);
    });

    it('to code that watches everything that the language does', async () => {
      const watches = `
        const taken = [];
        const { apply, ownKeys } = Reflect;
        const { getOwnPropertyDescriptor } = Object;
        const prototypes = [Map, Set, Array, Promise, String, Function, RegExp, Error].map((one) => one.prototype);
        for (const holder of [...prototypes, JSON, Reflect, Object]) {
          for (const key of ownKeys(holder)) {
            const { value: original, writable } = getOwnPropertyDescriptor(holder, key);
            if (typeof original !== 'function' || !writable || key === 'constructor') continue;
            holder[key] = function (...args) {
              if (typeof this === 'function') taken[taken.length] = this;
              for (let at = 0; at < args.length; at += 1) if (typeof args[at] === 'function') taken[taken.length] = args[at];
              return apply(original, this, args);
            };
          }
        }
        await req.bt.tokens.retrieve('a');
        const answers = (value) => { try { const answer = value('bt.request', 'x'); return 'v' in answer || 'e' in answer; } catch { return false; } };
        let found = 0;
        for (let at = 0; at < taken.length; at += 1) if (answers(taken[at])) found += 1;
        return [taken.length > 0, found];`;
      expect(await valueOf(watches)).to.deep.equal([true, 0]);
    });
  });
});
