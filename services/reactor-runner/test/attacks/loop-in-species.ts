import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in the species of its promise',
  target: 'time',
  code: `
    class Slow extends Promise {
      static get [Symbol.species]() {
        for (;;);
      }
    }
    module.exports = () => new Slow((resolve) => resolve(1)).then(() => 2);`,
  expectation: timesOut,
};
