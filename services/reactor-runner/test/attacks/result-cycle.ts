import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns a cycle',
  target: 'reader',
  code: `
    module.exports = () => {
      const cycle = {};
      cycle.cycle = cycle;
      return cycle;
    };`,
  expectation: { fails: /circular/i },
};
