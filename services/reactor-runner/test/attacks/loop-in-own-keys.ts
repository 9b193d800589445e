import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops where the keys of its result are listed',
  target: 'time',
  code: `
    module.exports = () => new Proxy({}, {
      ownKeys() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
