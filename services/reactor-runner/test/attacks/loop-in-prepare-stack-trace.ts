import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops where a stack is put into words',
  target: 'time',
  code: `
    module.exports = () => {
      Error.prepareStackTrace = () => {
        for (;;);
      };
      return new Error('slow').stack;
    };`,
  expectation: timesOut,
};
