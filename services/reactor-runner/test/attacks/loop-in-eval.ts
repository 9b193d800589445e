import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in code that it evaluates',
  target: 'time',
  code: `
    module.exports = () => eval('for (;;);');`,
  expectation: timesOut,
};
