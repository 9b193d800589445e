import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws an object that throws whatever is asked of it',
  target: 'reader',
  code: `
    const hostile = () => {
      throw new Proxy({}, { get: hostile });
    };
    module.exports = () => {
      throw new Proxy(function () {}, { get: hostile, has: hostile, ownKeys: hostile, getPrototypeOf: hostile, apply: hostile });
    };`,
  expectation: { fails: /./ },
};
