import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops after it has waited for a promise',
  target: 'time',
  code: `
    module.exports = async () => {
      await null;
      for (;;);
    };`,
  expectation: timesOut,
};
