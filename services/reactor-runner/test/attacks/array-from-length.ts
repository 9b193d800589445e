import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'makes an array of a length that it only claims',
  target: 'time',
  code: `
    module.exports = () => Array.from({ length: 2 ** 32 - 1 }, () => ({})).length;`,
  expectation: isStopped,
};
