import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'searches an array of holes',
  target: 'time',
  code: `
    module.exports = () => {
      const holes = [];
      holes.length = 2 ** 32 - 1;
      return holes.includes(1) + holes.indexOf(1) + holes.join('');
    };`,
  expectation: isStopped,
};
