import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops where its exports are read',
  target: 'time',
  code: `
    Object.defineProperty(module, 'exports', {
      get() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
