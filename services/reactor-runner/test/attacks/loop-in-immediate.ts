import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in an immediate',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {
      setImmediate(() => {
        for (;;);
      });
    });`,
  expectation: timesOut,
};
