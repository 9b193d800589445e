import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'has ten thousand intervals',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {
      for (let i = 0; i < 10_000; i += 1) setInterval(() => {}, 1);
    });`,
  expectation: isStopped,
};
