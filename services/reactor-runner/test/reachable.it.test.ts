import { builtinModules } from 'node:module';
import vm from 'node:vm';

import { expect } from 'chai';

import { type TestRunner, startTestRunner } from './runner.ts';
import { provokeText, realmText, walkText } from './walk.ts';

interface Walk {
  readonly strange: string[];
  /** Name and path of each native function; of those of one name only the first. */
  readonly natives: [string, string][];
  readonly seen: number;
}

/** What Node.js 16 has, what V8 has added since, and nothing else. */
const globals = [
  ...'Object Function Array Number Boolean String Symbol Date Promise RegExp Map BigInt Set WeakMap WeakSet'.split(
    ' ',
  ),
  ...'Proxy Reflect FinalizationRegistry WeakRef Math JSON Intl ArrayBuffer DataView globalThis global'.split(
    ' ',
  ),
  ...'Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError'.split(' '),
  ...'Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array'.split(' '),
  ...'BigInt64Array Uint8ClampedArray Float32Array Float64Array'.split(' '),
  ...'Infinity NaN undefined parseFloat parseInt isFinite isNaN eval escape unescape'.split(' '),
  ...'decodeURI decodeURIComponent encodeURI encodeURIComponent'.split(' '),
  ...'Iterator SuppressedError DisposableStack AsyncDisposableStack Float16Array'.split(' '),
  ...'setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask'.split(
    ' ',
  ),
  ...'URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal EventTarget Event'.split(' '),
  ...'MessageChannel MessageEvent MessagePort Buffer process console atob btoa performance'.split(' '),
];

/** Of --js-base-64, and a bound function that Node's library renames. */
const ownNatives = ['toBase64', 'fromBase64', 'toHex', 'fromHex', 'setFromBase64', 'setFromHex', 'value'];

/** Names of the native functions of any realm. */
function knownNatives(): ReadonlySet<string> {
  const { natives } = vm.runInNewContext(`${walkText}(${realmText}())`) as Walk;
  return new Set([...natives.map(([name]) => name), ...ownNatives]);
}

const walksOverAll = `
  const [walk, roots, provoke] = [${walkText}, ${realmText}, ${provokeText}];
  const isOffered = (name) => {
    try {
      return require(name) !== undefined;
    } catch {
      return false;
    }
  };
  module.exports = async function (req) {
    const names = req.builtin.filter(isOffered);
    const modules = names.map((name) => require(name));
    const met = await provoke(modules);
    const given = { req, me: this, given: arguments, require, module, exports };
    const counts = Object.fromEntries(Object.entries(met).map(([place, values]) => [place, values.length]));
    return { ...walk({ ...roots(), ...given, modules, met }), names, counts };
  };`;

describe('what user code reaches', function () {
  this.timeout(120_000);
  let runner: TestRunner;
  before(async () => {
    const limits = { wallMs: 100_000, cpuMs: 100_000, isolateMemoryMb: 512, workerMemoryMb: 1500 };
    runner = await startTestRunner({ limits });
  });
  after(() => runner[Symbol.asyncDispose]());

  it('holds no object of the host, whatever is called with whatever', async () => {
    const call = runner.run(
      walksOverAll,
      { builtin: builtinModules, nested: [{ a: [1] }] },
      { timeoutMs: 100_000 },
    );
    const { strange, natives, seen, names, counts } = (await call) as Walk & {
      names: string[];
      counts: { thrown: number; returned: number; calledWith: number };
    };
    expect(strange).to.deep.equal([]);
    const known = knownNatives();
    expect(natives.filter(([name]) => !known.has(name))).to.deep.equal([]);
    expect(names).to.include.members(['crypto', 'http', 'stream', 'zlib']);
    expect(names.length).to.be.greaterThan(20);
    expect(seen).to.be.greaterThan(20_000);
    expect(counts.thrown).to.be.greaterThan(10_000);
    expect(counts.calledWith).to.be.greaterThan(15);
  });

  it('holds no object of the host in any package', async () => {
    const list = `module.exports = () => {
      try {
        require('nothing');
      } catch ({ message }) {
        return message.split('packages: ')[1].replace(/\\.$/, '').split(', ');
      }
    };`;
    const names = (await runner.run(list)) as string[];
    expect(names).to.include.members(['aws-sdk', 'axios', 'lodash', '@glovebox/sdk']);
    const code = `module.exports = (req) => ${walkText}({ found: req.names.map((name) => require(name)) });`;
    const known = knownNatives();
    for (let at = 0; at < names.length; at += 6) {
      const some = names.slice(at, at + 6);
      const call = runner.run(`${code}//${at}`, { names: some }, { timeoutMs: 100_000 });
      const { strange, natives, seen } = (await call) as Walk;
      expect(strange).to.deep.equal([]);
      expect(natives.filter(([name]) => !known.has(name))).to.deep.equal([]);
      expect(seen).to.be.greaterThan(some.length);
    }
  });

  it('is looked at by a walk that finds what is of another realm', () => {
    const walk = (given: object, root: string) =>
      vm.runInNewContext(`${walkText}({ root: ${root} })`, given) as Walk;
    const { strange } = walk(
      { outside: { deep: [() => 1] } },
      '{ get table() { return new Map([[1, outside]]); } }',
    );
    expect(strange).to.include('root.table[entry].1.deep.0: an object of another realm');
    expect(walk({}, '{ a: [() => 1, new Error("own")] }').strange).to.deep.equal([]);
    const { natives } = walk({}, '{ a: Object.defineProperty(Math.max, "name", { value: "" }) }');
    expect(natives).to.deep.include(['', 'root.a']);
  });

  it('has a global name for what Node.js 16 has, and no other', async () => {
    const names = await runner.run('module.exports = () => Reflect.ownKeys(globalThis).map(String);');
    expect(names).to.have.members(globals);
    const after = `require('crypto'); require('http'); process.version; console.log(1);
      module.exports = () => Reflect.ownKeys(globalThis).map(String);`;
    expect(await runner.run(after)).to.have.members(globals);
  });
});
