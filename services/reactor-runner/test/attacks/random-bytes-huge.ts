import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks for two gigabytes of random bytes',
  target: 'memory',
  code: `
    module.exports = () => require('crypto').randomBytes(2 ** 31 - 1).length;`,
  expectation: { fails: /./ },
};
