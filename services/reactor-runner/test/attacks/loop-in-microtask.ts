import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in a microtask',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {
      queueMicrotask(() => {
        for (;;);
      });
    });`,
  expectation: timesOut,
};
