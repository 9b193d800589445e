import { createContext, runInContext } from 'node:vm';

import { expect } from 'chai';

import { makeWatchWorld } from './make-watch-world.ts';

/** Whether all is still the same after this, in a world with some of Node's globals, and two of its modules. */
function isSameAfter(code: string): boolean {
  const context = createContext({});
  const world = `
    globalThis.Buffer = { poolSize: 8192 };
    globalThis.process = { _events: {} };
    const lazy = (name, value) => Object.defineProperty(globalThis, name, {
      get: () => { define(name, value); return value; }, set: (other) => define(name, other), configurable: true });
    const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
    lazy('setTimeout', () => 1);
    class EventEmitter { static defaultMaxListeners = 10; on() {} }
    const modules = { events: EventEmitter, https: { globalAgent: { options: { keepAlive: false } } } };
    const isSame = (${makeWatchWorld.toString()})()([modules.events, modules.https]);
    (() => { ${code} })();
    isSame()`;
  return runInContext(world, context) as boolean;
}

describe('the watch on the world of a package that is tried', () => {
  it('says nothing when it reads what there is, and uses globals that are made when they are first used', () => {
    const reads = `setTimeout(); Buffer.poolSize; new modules.events().on(); [1].map(String); new Map([[1, 2]]).get(1);`;
    expect(isSameAfter(reads)).to.equal(true);
  });

  for (const change of [
    'globalThis.added = 1',
    'delete globalThis.Buffer',
    'Promise = class extends Promise {}',
    'globalThis.JSON = { ...JSON }',
    'setTimeout = () => 2',
    'Object.defineProperty(globalThis, "WeakSet", { enumerable: true })',
    'Array.prototype.last = function () {}',
    'String.prototype.trim = function () {}',
    'Object.defineProperty(Array.prototype, "flat", { get: () => undefined })',
    'Object.setPrototypeOf(Error, Function)',
    'Object.freeze(Object.prototype)',
    'Symbol.prototype.toString.own = 1',
    'Intl.NumberFormat.prototype.format2 = 1',
    'Buffer.poolSize = 1',
    'process._events.exit = () => {}',
    'modules.events.defaultMaxListeners = 100',
    'modules.events.prototype.on = () => {}',
    'modules.https.globalAgent.options.keepAlive = true',
  ])
    it(`says that this changes something: ${change}`, () => {
      expect(isSameAfter(change)).to.equal(false);
    });
});
