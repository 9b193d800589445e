import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "leaves a minute of the host's work behind",
  target: 'time',
  code: `
    const { pbkdf2 } = require('crypto');
    module.exports = () => {
      for (let i = 0; i < 1000; i += 1) pbkdf2('password', 'salt', 1e5, 20, 'sha512', () => {});
      return 'gone';
    };`,
  expectation: { returns: 'gone' },
};
