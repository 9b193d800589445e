import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'writes to its console without end',
  target: 'memory',
  code: `
    module.exports = () => {
      for (;;) console.log('x'.repeat(1000));
    };`,
  expectation: timesOut,
};
