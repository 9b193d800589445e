import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops',
  target: 'time',
  code: `
    module.exports = () => {
      for (;;);
    };`,
  expectation: timesOut,
};
