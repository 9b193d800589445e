import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops where its promise is awaited',
  target: 'time',
  code: `
    module.exports = () => Object.defineProperty(Promise.resolve(1), 'constructor', {
      get() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
