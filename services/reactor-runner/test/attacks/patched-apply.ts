import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "replaces Reflect.apply before Node's library is loaded, to meet its inside",
  target: 'host',
  code: `
    const seen = new Set();
    const real = Reflect.apply;
    Reflect.apply = (target, self, args) => {
      seen.add(target);
      for (const value of [self, ...args]) seen.add(value);
      return real(target, self, args);
    };
    module.exports = async () => {
      require('crypto').createHash('sha1').update('a').digest();
      require('zlib').gzipSync('a');
      await new Promise((resolve) => setTimeout(resolve, 1));
      const isForeign = (value) => (typeof value === 'function' || (typeof value === 'object' && value !== null && !(value instanceof Object)));
      const names = new Set(['Reference', 'ExternalCopy', 'Callback', 'Isolate', 'Context', 'Script']);
      return [...seen]
        .filter((value) => (typeof value === 'function' && value.constructor('return this')() !== globalThis) || names.has(value?.constructor?.name))
        .map(String);
    };`,
  expectation: { returns: [] },
};
