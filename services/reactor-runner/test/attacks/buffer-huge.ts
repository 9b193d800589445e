import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks for a buffer of four gigabytes',
  target: 'memory',
  code: `
    module.exports = () => Buffer.alloc(2 ** 32).length;`,
  expectation: { fails: /^RangeError/ },
};
