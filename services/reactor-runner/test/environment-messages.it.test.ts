import { expect } from 'chai';

import { type TestRunner, startTestRunner } from './runner.ts';

/** What is expected is what a real Node.js 16 answers to the same code. */
describe('message channels of user code', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner();
  });
  after(() => runner[Symbol.asyncDispose]());

  const valueOf = (body: string) => runner.run(`module.exports = async (req) => {\n${body}\n};`);

  it('carry messages in their order to each listener, in a later turn', async () => {
    const seen = await valueOf(`
      const { port1, port2 } = new MessageChannel();
      const seen = [];
      port1.postMessage('before anybody listens');
      const done = new Promise((resolve) => port2.once('close', resolve));
      port2.onmessage = ({ data, target, type, constructor }) => seen.push([data, target === port2, type, constructor.name]);
      port1.postMessage({ n: 1 });
      seen.push('posted');
      await Promise.resolve();
      seen.push('microtask');
      port1.close();
      await done;
      return [...seen, port1.postMessage('to nobody') === undefined];`);
    expect(seen).to.deep.equal([
      'posted',
      'microtask',
      ['before anybody listens', true, 'message', 'MessageEvent'],
      [{ n: 1 }, true, 'message', 'MessageEvent'],
      true,
    ]);
  });

  it('copy what a structured clone copies, cycles and shared parts included', async () => {
    const shown = await valueOf(`
      const { port1, port2 } = new MessageChannel();
      class Point { #secret = 1; x = 2; get y() { return 3; } }
      const cycle = { list: [1, , 3] };
      cycle.self = cycle;
      const memory = new ArrayBuffer(4);
      const sent = {
        cycle, bytes: Buffer.from('abc'), date: new Date(0), error: Object.assign(new TypeError('wrong'), { code: 'GONE' }),
        pattern: /a+/gi, map: new Map([[{ k: 1 }, new Set([1, 'a'])]]), boxed: Object(1), big: 10n, none: undefined, point: new Point(),
        floats: new Float32Array(memory), view: new DataView(memory, 1), text: 'ü',
      };
      sent.floats[0] = 1.5;
      const received = new Promise((resolve) => port2.once('message', resolve));
      port1.postMessage(sent);
      const { cycle: copy, bytes, date, error, pattern, map, boxed, big, point, floats, view, ...rest } = await received;
      const [[key, set]] = map;
      return [
        copy.self === copy, copy === cycle, 1 in copy.list, copy.list.length,
        bytes.constructor.name, String.fromCharCode(...bytes), date.getTime(),
        error instanceof TypeError, error.message, error.code === undefined, error.stack === sent.error.stack,
        String(pattern), key, [...set], typeof boxed, String(big), Object.keys(point), point instanceof Point,
        [...floats], floats.buffer === view.buffer, view.byteOffset, view.byteLength, 'none' in rest, rest.text,
      ];`);
    expect(shown).to.deep.equal([
      ...[true, false, false, 3],
      ...['Uint8Array', 'abc', 0],
      ...[true, 'wrong', true, true],
      ...['/a+/gi', { k: 1 }, [1, 'a'], 'object', '10', ['x'], false],
      ...[[1.5], true, 1, 3, true, 'ü'],
    ]);
  });

  it('hand over ports and memory, and nothing when the message cannot be copied', async () => {
    const shown = await valueOf(`
      const [outer, inner] = [new MessageChannel(), new MessageChannel()];
      const memory = new ArrayBuffer(8);
      const attempt = (...args) => { try { outer.port1.postMessage(...args); } catch (error) { return error.code; } };
      const refused = attempt([() => 1, inner.port2], [inner.port2, memory]);
      const kept = memory.byteLength;
      const received = new Promise((resolve) => { outer.port2.onmessage = resolve; });
      inner.port1.postMessage('was under way');
      outer.port1.postMessage({ port: inner.port2, memory }, [inner.port2, memory]);
      const { data, ports } = await received;
      const first = await new Promise((resolve) => data.port.once('message', resolve));
      const answer = new Promise((resolve) => inner.port1.once('message', resolve));
      data.port.postMessage('by the new holder');
      return [refused, kept, memory.byteLength, data.memory.byteLength, ports[0] === data.port, first, await answer];`);
    expect(shown).to.deep.equal([25, 8, 0, 8, true, 'was under way', 'by the new holder']);
  });

  const refusals: Readonly<Record<string, readonly [number | string, string]>> = {
    'new MessagePort()': ['ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called'],
    'MessageChannel()': ['ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`'],
    'port1.postMessage()': ['ERR_MISSING_ARGS', 'Not enough arguments to MessagePort.postMessage'],
    'port1.postMessage(() => 1)': [25, '() => 1 could not be cloned.'],
    'port1.postMessage({ a: [Promise.resolve()] })': [25, '#<Promise> could not be cloned.'],
    "port1.postMessage(Symbol('x'))": [25, 'Symbol(x) could not be cloned.'],
    'port1.postMessage(port2)': [
      'ERR_MISSING_TRANSFERABLE_IN_TRANSFER_LIST',
      'Object that needs transfer was found in message but not listed in transferList',
    ],
    'port1.postMessage(1, [port1])': [25, 'Transfer list contains source port'],
    'port1.postMessage(1, [port2, port2])': [25, 'Transfer list contains duplicate MessagePort'],
    'port1.postMessage(1, [1])': ['ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList'],
    'port1.postMessage(1, 3)': ['ERR_INVALID_ARG_TYPE', 'Optional transferList argument must be an iterable'],
    'port1.postMessage(1, { transfer: 3 })': [
      'ERR_INVALID_ARG_TYPE',
      'Optional options.transfer argument must be an iterable',
    ],
  };
  for (const [call, expected] of Object.entries(refusals)) {
    it(`refuse ${call} as Node.js does`, async () => {
      const told = await valueOf(`
        const { port1, port2 } = new MessageChannel();
        try { ${call}; } catch (error) { return [error.code, error.message]; }`);
      expect(told).to.deep.equal(expected);
    });
  }

  it('serve each run of a warm isolate, whatever the one before has left in them', async () => {
    const code = `
      const { port1, port2 } = new MessageChannel();
      let told = () => {};
      port2.on('message', (run) => told(run));
      module.exports = async ({ args }) => {
        const mine = new Promise((resolve) => { told = (run) => { if (run === args) resolve(run); }; });
        port1.postMessage(args);
        const answer = await mine;
        port1.postMessage('left behind');
        return answer;
      };`;
    for (const args of ['first', 'second', 'third']) {
      expect(await runner.run(code, { args })).to.equal(args);
    }
  });
});
