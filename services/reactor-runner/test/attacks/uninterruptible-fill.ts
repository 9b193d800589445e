import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'is in a built-in that nothing can interrupt',
  target: 'time',
  code: `
    module.exports = () => new Array(1e9).fill(0).length;`,
  expectation: isStopped,
};
