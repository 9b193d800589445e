import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops where somebody asks whether its result is a promise',
  target: 'time',
  code: `
    module.exports = () => new Proxy({}, {
      has() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
