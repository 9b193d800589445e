import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'backtracks in a regular expression',
  target: 'time',
  code: `
    module.exports = () => /^(a+)+$/.test('a'.repeat(40) + '!');`,
  expectation: timesOut,
};
