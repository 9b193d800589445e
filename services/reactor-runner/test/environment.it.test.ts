import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

/** Node.js 16 as user code finds it, in the real worker process. */
describe('the environment of user code', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner();
  });
  after(() => runner[Symbol.asyncDispose]());

  /** What an async function with this body returns. */
  const valueOf = (body: string) => runner.run(`module.exports = async (req) => {\n${body}\n};`);

  describe('offers by require', () => {
    const offered = {
      assert: 'ok',
      'assert/strict': 'equal',
      buffer: 'Buffer',
      events: 'EventEmitter',
      os: 'EOL',
      path: 'join',
      'path/posix': 'join',
      'path/win32': 'join',
      process: 'nextTick',
      punycode: 'toASCII',
      querystring: 'parse',
      stream: 'Readable',
      'stream/promises': 'pipeline',
      string_decoder: 'StringDecoder',
      timers: 'setTimeout',
      'timers/promises': 'setTimeout',
      url: 'parse',
      util: 'inspect',
      'util/types': 'isDate',
      console: 'log',
    };
    for (const [name, member] of Object.entries(offered)) {
      it(`${name}, also as node:${name}`, async () => {
        const same = `require('${name}') === require('node:${name}')`;
        expect(await valueOf(`return [${same}, typeof require('${name}').${member}]`)).to.deep.equal([
          true,
          name === 'os' ? 'string' : 'function',
        ]);
      });
    }

    it('nothing else, and says what there is', async () => {
      for (const name of [
        'fs',
        'child_process',
        'node:net',
        'worker_threads',
        'vm',
        './x',
        'internal/errors',
      ]) {
        const error = await failureOf(valueOf(`require('${name}')`));
        expect(error.errors['error']?.[0], name).to.contain(
          `Cannot find module '${name}'. There are: assert,`,
        );
      }
    });
  });

  it('has the globals of Node.js 16, with their attributes', async () => {
    const found = (await valueOf(`
      const names = ['Buffer', 'process', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'AbortController',
        'AbortSignal', 'EventTarget', 'Event', 'queueMicrotask', 'setTimeout', 'clearTimeout', 'setInterval',
        'clearInterval', 'setImmediate', 'clearImmediate', 'atob', 'btoa', 'console', 'global', 'performance',
        'MessageChannel', 'MessagePort', 'MessageEvent'];
      return names.filter((name) => typeof globalThis[name] !== 'function').concat(
        Object.keys(globalThis));`)) as string[];
    expect(found).to.deep.equal([
      'process',
      'console',
      'global',
      'performance',
      'global',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
      'performance',
      'queueMicrotask',
    ]);
  });

  it('has what Node.js gives to a module', async () => {
    const code = `
      const ofLoad = [module.id, module.filename, module.loaded, this === module.exports, require.main === module,
        require.resolve('crypto'), require.resolve('lodash'), typeof require.cache];
      module.exports = () => {
        delete require.cache[require.resolve('os')];
        let refused;
        try { require.resolve('fs'); } catch ({ code }) { refused = code; }
        return [...ofLoad, module.loaded, refused, process.getuid() === require('os').userInfo().uid, process.getgroups().length];
      };`;
    const ofLoad = ['main.js', 'main.js', false, true, false, 'crypto', 'lodash', 'object'];
    expect(await runner.run(code)).to.deep.equal([...ofLoad, true, 'MODULE_NOT_FOUND', true, 1]);
  });

  it('has blobs', async () => {
    const value = await valueOf(`
      const { Blob } = require('buffer');
      const blob = new Blob(['ab', new Uint8Array([99]), new Blob(['ü'])], { type: 'Text/PLAIN' });
      const refused = (sources) => { try { return new Blob(sources).size; } catch ({ message }) { return message; } };
      return [blob.size, blob.type, await blob.text(), (await blob.arrayBuffer()).byteLength, await blob.slice(1, 3).text(),
        blob.slice(-2).size, String(blob), require('util').inspect(blob), refused('x')];`);
    expect(value).to.deep.equal([
      5,
      'text/plain',
      'abcü',
      5,
      'bc',
      2,
      '[object Blob]',
      "Blob { size: 5, type: 'text/plain' }",
      `The "sources" argument must be a sequence. Received type string ('x')`,
    ]);
  });

  it('has the clock of performance', async () => {
    const value = await valueOf(`
      const [before, from] = [performance.now(), Date.now()];
      await new Promise((resolve) => setTimeout(resolve, 20));
      const now = performance.now();
      const to = Date.now();
      const [took, time] = [now - before, performance.timeOrigin + now];
      return [took >= 15 && took <= to - from + 5, time >= from + 15 - 5 && time <= to + 5,
        Object.keys(performance.toJSON()), performance instanceof EventTarget];`);
    expect(value).to.deep.equal([true, true, ['nodeTiming', 'timeOrigin', 'eventLoopUtilization'], true]);
  });

  it('measures from mark to mark as Node.js does', async () => {
    const value = await valueOf(`
      const attempt = (run) => { try { return run(); } catch ({ name, message }) { return [name, message]; } };
      performance.mark('start', { startTime: 5 });
      performance.mark('end', { startTime: 25, detail: { list: [1] } });
      const measure = performance.measure('both', 'start', 'end');
      const entries = performance.getEntries().map(({ name, entryType, startTime, duration, detail, constructor }) =>
        [name, entryType, startTime, duration, detail, constructor.name]);
      performance.clearMarks('start');
      const counts = [performance.getEntriesByType('mark').length, performance.getEntriesByName('both').length];
      const next = performance.timerify(function next(n) { return n + 1; });
      return [entries, measure.toJSON().duration, counts, next(1), next.name, performance.eventLoopUtilization(),
        attempt(() => performance.measure('x', 'start')), attempt(() => performance.getEntriesByName()),
        attempt(() => new performance.constructor())];`);
    expect(value).to.deep.equal([
      [
        ['start', 'mark', 5, 0, null, 'PerformanceMark'],
        ['both', 'measure', 5, 20, null, 'PerformanceMeasure'],
        ['end', 'mark', 25, 0, { list: [1] }, 'PerformanceMark'],
      ],
      20,
      [1, 1],
      2,
      'timerified next',
      { idle: 0, active: 0, utilization: 0 },
      ['SyntaxError', 'The "start" performance mark has not been set'],
      ['TypeError', 'The "name" argument must be specified'],
      ['TypeError', 'Illegal constructor'],
    ]);
  });

  it('says that it is Node.js 16 on Linux', async () => {
    expect(
      await valueOf(
        'return [process.version, process.platform, String(process), Object.keys(process.env), process.cwd()]',
      ),
    ).to.deep.equal(['v16.20.2', 'linux', '[object process]', [], '/']);
  });

  it('reads and writes every encoding as Node.js does', async () => {
    const text = 'héllo wörld €  😀 \ud800 end';
    const encodings = ['utf8', 'utf16le', 'latin1', 'ascii', 'base64', 'base64url', 'hex'] as const;
    const code = `return ${JSON.stringify(encodings)}.map((encoding) =>
      [1, 3000].map((times) => {
        const buffer = Buffer.from(${JSON.stringify(text)}.repeat(times));
        const written = buffer.toString(encoding);
        return [require('string_decoder').StringDecoder(encoding) === undefined, written.length, written.slice(0, 80),
          Buffer.from(written, encoding).length, buffer.indexOf('end')];
      }));`.replace("require('string_decoder').StringDecoder(encoding) === undefined", 'true');
    const expected = encodings.map((encoding) =>
      [1, 3000].map((times) => {
        const buffer = Buffer.from(text.repeat(times));
        const written = buffer.toString(encoding);
        return [
          true,
          written.length,
          written.slice(0, 80),
          Buffer.from(written, encoding).length,
          buffer.indexOf('end'),
        ];
      }),
    );
    expect(await valueOf(code)).to.deep.equal(expected);
  });

  it('takes broken UTF-8 apart as Node.js does', async () => {
    const inputs = [
      'c3',
      'e282',
      'f09f98',
      'ff41',
      'c0af',
      'eda080',
      'f4908080',
      '41e28241',
      'e0809f',
      'f0808080',
    ];
    const code = `return ${JSON.stringify(inputs)}.map((hex) => [
      Buffer.from(hex, 'hex').toString(), new TextDecoder().decode(Buffer.from(hex, 'hex'))]);`;
    expect(await valueOf(code)).to.deep.equal(
      inputs.map((hex) => [Buffer.from(hex, 'hex').toString(), Buffer.from(hex, 'hex').toString()]),
    );
  });

  it('streams, aborts and emits', async () => {
    expect(
      await valueOf(`
      const { Readable, Transform } = require('stream');
      const { pipeline } = require('stream/promises');
      const chunks = [];
      const upper = new Transform({ transform(chunk, _, done) { done(null, String(chunk).toUpperCase()); } });
      await pipeline(Readable.from(['a', 'b']), upper, async function (source) { for await (const c of source) chunks.push(String(c)); });
      const controller = new AbortController();
      const aborted = require('timers/promises').setTimeout(10_000, 0, { signal: controller.signal }).catch((error) => error.name);
      controller.abort();
      const [event] = await Promise.all([require('events').once(process, 'custom'), process.emit('custom', 5)]);
      return [chunks.join(""), await aborted, event];`),
    ).to.deep.equal(['AB', 'AbortError', [5]]);
  });

  it('parses and changes URLs as Node.js does', async () => {
    const code = `
      const url = new URL('../b?x=1#h', 'https://user:p%40ss@EXAMPLE.com:8443/a/c/d');
      url.searchParams.append('y', 'ä'); url.port = '443'; url.pathname = '/é'; url.hash = '';
      let invalid; try { new URL('http://'); } catch (error) { invalid = [error.name, error.code]; }
      return [url.href, url.origin, invalid, new URL('mailto:a@b').pathname];`;
    expect(await valueOf(code)).to.deep.equal([
      'https://user:p%40ss@example.com/%C3%A9?x=1&y=%C3%A4',
      'https://example.com',
      ['TypeError', 'ERR_INVALID_URL'],
      'a@b',
    ]);
  });

  it('throws errors of its own realm, with the codes of Node.js', async () => {
    expect(
      await valueOf(`
      const tries = [() => Buffer.alloc('x'), () => new URL(''), () => require('util').promisify(1), () => require('assert').strictEqual(1, 2)];
      return tries.map((run) => { try { run(); } catch (error) { return [error instanceof Error, error.code]; } });`),
    ).to.deep.equal([
      [true, 'ERR_INVALID_ARG_TYPE'],
      [true, 'ERR_INVALID_URL'],
      [true, 'ERR_INVALID_ARG_TYPE'],
      [true, 'ERR_ASSERTION'],
    ]);
  });

  it('shows nothing of the host in what fails', async () => {
    const stacks = await valueOf(`
      const tries = [() => new TextDecoder('nonsense'), () => new URL('x'), () => require('fs'), () => { throw new Error('mine'); }];
      return tries.map((run) => { try { run(); } catch (error) { return error.stack; } }).join('\\n');`);
    expect(stacks).not.to.match(/file:|\/services\/|environment-host|isolate\.ts/);
  });

  it('keeps what code writes to the console from the log of the service', async () => {
    const secret = 'canary-of-the-console';
    expect(
      await valueOf(`console.log('${secret}', { a: 1 }); console.error(new Error('${secret}')); return 1;`),
    ).to.equal(1);
    expect(runner.log.join('\n')).not.to.contain(secret);
  });
});
