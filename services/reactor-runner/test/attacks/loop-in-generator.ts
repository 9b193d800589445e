import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'spreads a generator that never ends',
  target: 'time',
  code: `
    function* numbers() {
      for (;;) yield 1;
    }
    module.exports = () => [...numbers()].length;`,
  expectation: isStopped,
};
