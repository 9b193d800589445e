import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in the then of its result',
  target: 'time',
  code: `
    module.exports = () => ({
      then() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
