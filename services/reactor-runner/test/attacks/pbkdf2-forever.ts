import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks for a thousand million rounds of a derivation',
  target: 'time',
  code: `
    module.exports = () => require('crypto').pbkdf2Sync('password', 'salt', 1e9, 64, 'sha512').length;`,
  expectation: { fails: /limited to/ },
};
