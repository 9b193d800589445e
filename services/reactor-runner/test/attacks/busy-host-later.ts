import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'starts a thousand long derivations at once',
  target: 'time',
  code: `
    const { pbkdf2 } = require('crypto');
    module.exports = () => new Promise(() => {
      for (let i = 0; i < 1000; i += 1) pbkdf2('password', 'salt', 5e6, 20, 'sha512', () => {});
    });`,
  expectation: isStopped,
};
