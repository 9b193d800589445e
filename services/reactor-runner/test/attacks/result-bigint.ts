import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns a BigInt',
  target: 'reader',
  code: `
    module.exports = () => ({ value: 1n });`,
  expectation: { fails: /BigInt/ },
};
