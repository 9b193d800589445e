import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops where an argument for the host becomes a number',
  target: 'time',
  code: `
    module.exports = () => setTimeout(() => {}, {
      [Symbol.toPrimitive]() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
