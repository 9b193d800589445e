import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'exports a proxy of a function whose call loops',
  target: 'time',
  code: `
    module.exports = new Proxy(() => 1, {
      apply() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
