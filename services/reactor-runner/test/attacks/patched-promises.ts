import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces the methods of promises while the host works for it',
  target: 'host',
  code: `
    module.exports = () => new Promise((resolve) => {
      require('crypto').pbkdf2('a', 'b', 10, 10, 'sha1', () => resolve('settled'));
      for (const name of ['then', 'catch', 'finally']) Promise.prototype[name] = () => 'polluted';
      globalThis.Promise = class {};
    });`,
  expectation: { returns: 'settled' },
};
