import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'raises a BigInt to a huge power',
  target: 'time',
  code: `
    module.exports = () => (3n ** 30_000_000n) % 7n === 0n;`,
  expectation: isStopped,
};
