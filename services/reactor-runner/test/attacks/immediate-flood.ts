import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'sets immediates without end',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {
      const f = () => setImmediate(f);
      f();
    });`,
  expectation: timesOut,
};
