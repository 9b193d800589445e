import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops where an iterator is closed',
  target: 'time',
  code: `
    const endless = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: false, value: 1 }),
        return() {
          for (;;);
        },
      }),
    };
    module.exports = () => {
      for (const n of endless) return n;
    };`,
  expectation: timesOut,
};
