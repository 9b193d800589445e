import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'backtracks through backreferences and lookbehind',
  target: 'time',
  code: `
    module.exports = () => /(?<=(x+x+)+y)z|^(\\w+\\s?)*\\2$/.test('x'.repeat(60) + 'word '.repeat(20) + '!');`,
  expectation: timesOut,
};
