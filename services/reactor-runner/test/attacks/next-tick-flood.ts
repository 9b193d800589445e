import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'puts off work by process.nextTick without end',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {
      const f = () => process.nextTick(f);
      f();
    });`,
  expectation: isStopped,
};
