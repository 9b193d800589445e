import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns more than it may',
  target: 'memory',
  code: `
    module.exports = () => 'x'.repeat(1_000_001);`,
  expectation: { fails: /The result of the code is too large/ },
};
