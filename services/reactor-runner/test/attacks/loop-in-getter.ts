import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in a getter of its result',
  target: 'time',
  code: `
    module.exports = () => ({
      get value() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
