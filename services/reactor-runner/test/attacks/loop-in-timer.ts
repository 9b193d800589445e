import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in a timer',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {
      setTimeout(() => {
        for (;;);
      }, 1);
    });`,
  expectation: timesOut,
};
