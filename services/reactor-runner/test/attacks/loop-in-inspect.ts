import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops where the console inspects it',
  target: 'time',
  code: `
    const { inspect } = require('util');
    module.exports = () => console.log({
      [inspect.custom]() {
        for (;;);
      },
    });`,
  expectation: timesOut,
};
