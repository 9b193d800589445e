import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in asm.js',
  target: 'time',
  code: `
    function Module() {
      'use asm';
      function spin() {
        var n = 0;
        for (;;) n = (n + 1) | 0;
        return n | 0;
      }
      return { spin: spin };
    }
    module.exports = () => Module().spin();`,
  expectation: timesOut,
};
