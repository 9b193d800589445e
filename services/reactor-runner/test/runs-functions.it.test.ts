import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

describe('running a function', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner();
  });
  after(() => runner[Symbol.asyncDispose]());

  describe('gives back what it returns', () => {
    it('when it is a plain function', async () => {
      const code = 'module.exports = function (req) { return { got: req.args.a + 1 }; };';
      expect(await runner.run(code, { args: { a: 1 } })).to.deep.equal({ got: 2 });
    });

    it('when it is an async function that only waits for promises', async () => {
      const code =
        'module.exports = async (req) => { const a = await req.a; return [a, await Promise.all([1, a])]; };';
      expect(await runner.run(code, { a: 'ü€😀' })).to.deep.equal(['ü€😀', [1, 'ü€😀']]);
    });

    it('when it waits for a timer, while others run in the same worker', async () => {
      const waits = `module.exports = async (req) => {
        await new Promise((resolve) => setTimeout(resolve, req.delay));
        return req.delay;
      };`;
      const delays = [120, 5, 60, 30];
      const started = performance.now();
      const results = await Promise.all(delays.map((delay) => runner.run(waits, { delay })));
      expect(results).to.deep.equal(delays);
      expect(performance.now() - started).to.be.greaterThan(115);
    });

    it('when it returns a thenable of its own', async () => {
      expect(
        await runner.run('module.exports = () => ({ then(resolve) { resolve({ ok: true }); } });'),
      ).to.deep.equal({
        ok: true,
      });
    });

    for (const [name, expression] of [
      ['undefined', 'undefined'],
      ['a function', '() => 1'],
      ['a symbol', 'Symbol("s")'],
    ]) {
      it(`as undefined when it is ${name}`, async () => {
        expect(await runner.run(`module.exports = async () => (${expression});`)).to.equal(undefined);
      });
    }

    it('as JSON writes it', async () => {
      const code =
        'module.exports = () => ({ d: new Date(0), n: NaN, u: undefined, t: { toJSON: () => "t" }, m: new Map() });';
      expect(await runner.run(code)).to.deep.equal({ d: '1970-01-01T00:00:00.000Z', n: null, t: 't', m: {} });
    });

    it('whatever rejections it leaves behind', async () => {
      expect(
        await runner.run('module.exports = () => { Promise.reject(new Error("left")); return 1; };'),
      ).to.equal(1);
      const named =
        'module.exports = () => { Promise.reject(new Error("Script execution timed out.")); return 2; };';
      expect(await runner.run(named)).to.equal(2);
    });
  });

  describe('says what is wrong with the code', () => {
    it('with the place in it, when it throws', async () => {
      for (const body of ['throw new TypeError("no")', 'await null; throw new TypeError("no")']) {
        const error = await failureOf(runner.run(`module.exports = async () => {\n  ${body};\n};`));
        expect(error.code).to.equal('internal');
        expect(error.message).to.equal('Reactor Runtime Error');
        expect(error.errors['error']?.[0]).to.match(/^TypeError: no \(main\.js:2:\d+\)$/);
      }
    });

    it('and to the code itself, with nothing in the stack but its file and what Node.js calls its own', async () => {
      for (const body of [
        'throw new Error("a")',
        'await null; throw new Error("b")',
        'await new Promise((resolve) => setTimeout(resolve, 1)); null.c',
        'require("crypto").createHash("nosuch")',
        'new Function("throw new Error(1)")()',
      ]) {
        const code = `module.exports = async () => { try { ${body}; } catch (error) { return error.stack; } };`;
        const frames = String(await runner.run(code))
          .split('\n')
          .slice(1);
        expect(frames, body).to.not.deep.equal([]);
        for (const frame of frames) {
          expect(frame).to.match(/main\.js:\d+:\d+|\(?node:[\w/]+:\d+:\d+\)?$/);
        }
      }
    });

    it('when a timer of it throws', async () => {
      const code =
        'module.exports = () => new Promise(() => setTimeout(() => { throw new Error("late"); }, 1));';
      const error = await failureOf(runner.run(code));
      expect(error.errors['error']?.[0]).to.match(/^Error: late \(main\.js:1:\d+\)$/);
    });

    for (const thrown of [
      'null',
      'undefined',
      '5',
      '"text"',
      'Symbol("s")',
      '{}',
      'new Proxy({}, { get() { throw 1; } })',
    ]) {
      it(`when it throws ${thrown}`, async () => {
        const error = await failureOf(runner.run(`module.exports = () => { throw ${thrown}; };`));
        expect(error.code).to.equal('internal');
        expect(error.errors['error']?.[0]).to.be.a('string').and.not.equal('');
      });
    }

    it('when what it returns is no JSON', async () => {
      for (const value of [
        '1n',
        '(() => { const a = {}; a.a = a; return a; })()',
        '({ toJSON() { throw new Error("x"); } })',
      ]) {
        const error = await failureOf(runner.run(`module.exports = () => ${value};`));
        expect(error.message).to.equal('Reactor Runtime Error');
      }
    });

    it('when what it returns is too large', async () => {
      const error = await failureOf(runner.run('module.exports = () => "x".repeat(1_000_001);'));
      expect(error.errors).to.deep.equal({ error: ['The result of the code is too large.'] });
    });

    it('when it throws while it is loaded', async () => {
      const error = await failureOf(runner.run('\n\nthrow new RangeError("at load");'));
      expect(error.errors['error']).to.deep.equal(['RangeError: at load (main.js:3:7)']);
    });

    it('when it requires what there is not', async () => {
      const error = await failureOf(runner.run('const fs = require("fs"); module.exports = () => fs;'));
      expect(error.errors['error']?.[0]).to.contain("Cannot find module 'fs'");
    });

    it('when it does not export a function', async () => {
      for (const code of [
        'module.exports = 5;',
        'exports.handler = () => 1;',
        '"nothing"',
        '}); (function () {',
      ]) {
        const error = await failureOf(runner.run(code));
        expect(error.code, code).to.equal('unprocessable');
        expect(error.errors['code']?.[0], code).to.equal('module.exports must be a function');
      }
    });

    it('with the place in it, when it does not parse', async () => {
      const error = await failureOf(runner.run('module.exports = async (req) => {\n  let let = 1;\n};'));
      expect(error.code).to.equal('unprocessable');
      expect(error.errors['code']?.[0]).to.match(/^SyntaxError: .*main\.js:2:\d+/);
    });
  });

  describe('refuses a call', () => {
    const code = 'module.exports = (a) => a;';

    it('that has no tenant, code or argument, and names all of them', async () => {
      const error = await failureOf(runner.runText('', Buffer.alloc(0), { tenant: '' }));
      expect(error.code).to.equal('invalid_argument');
      expect(error.errors).to.have.all.keys('tenant_id', 'code', 'argument');
    });

    it('whose argument is no JSON', async () => {
      for (const text of ['{', 'undefined', '\u0000', '{"a":}']) {
        const error = await failureOf(runner.runText(code, Buffer.from(text)));
        expect(error.errors, text).to.deep.equal({ argument: ['must be JSON text'] });
      }
    });

    it('whose code or argument is too long', async () => {
      const large = Buffer.from(JSON.stringify('x'.repeat(1_000_000)));
      expect((await failureOf(runner.runText(code, large))).errors).to.have.all.keys('argument');
      const long = `${code}//${' '.repeat(50_000)}`;
      expect((await failureOf(runner.run(long))).errors).to.have.all.keys('code');
    });
  });

  it('keeps its variables from one run of the same code to the next, and from all other code', async () => {
    const counter = 'let n = 0; globalThis.shared = true; module.exports = () => (n += 1);';
    expect([await runner.run(counter), await runner.run(counter)]).to.deep.equal([1, 2]);
    expect(await runner.run('module.exports = () => typeof shared;')).to.equal('undefined');
    expect(await runner.run(counter, {}, { tenant: 'tenant-b' })).to.equal(1);
  });

  it('drops the timers that a run leaves behind', async () => {
    const code = `let fired = 0;
      module.exports = async (req) => {
        if (req.leave) setTimeout(() => { fired += 1; }, 5);
        else await new Promise((resolve) => setTimeout(resolve, 30));
        return fired;
      };`;
    expect(await runner.run(code, { leave: true })).to.equal(0);
    expect(await runner.run(code, { leave: false })).to.equal(0);
  });

  it('is cancelled when its caller no longer waits, and others go on', async () => {
    const controller = new AbortController();
    const waiting = runner.run(
      'module.exports = () => new Promise(() => {});',
      {},
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 50);
    expect((await failureOf(waiting)).code).to.equal('cancelled');
    expect(await runner.run('module.exports = () => 1;')).to.equal(1);
  });
});
