import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks for a derivation that needs gigabytes',
  target: 'memory',
  code: `
    module.exports = () => require('crypto').scryptSync('password', 'salt', 64, { N: 2 ** 20, r: 128, p: 1, maxmem: 2 ** 40 }).length;`,
  expectation: { fails: /./ },
};
