import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'sets timers without end',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {
      const f = () => setTimeout(f, 0);
      f();
    });`,
  expectation: timesOut,
};
