import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops where its result is put into JSON',
  target: 'time',
  code: `
    module.exports = () => ({
      toJSON() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
