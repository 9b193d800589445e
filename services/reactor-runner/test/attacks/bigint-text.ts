import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'writes a huge BigInt in decimal',
  target: 'time',
  code: `
    module.exports = () => ((1n << 100_000_000n) - 1n).toString().length;`,
  expectation: isStopped,
};
