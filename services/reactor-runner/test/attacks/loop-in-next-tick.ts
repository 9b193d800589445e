import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in process.nextTick',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {
      process.nextTick(() => {
        for (;;);
      });
    });`,
  expectation: timesOut,
};
