import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'compares without end while it sorts',
  target: 'time',
  code: `
    module.exports = () => [3, 1, 2].sort(() => {
      for (;;);
    });`,
  expectation: timesOut,
};
