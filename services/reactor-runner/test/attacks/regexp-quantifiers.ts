import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'nests quantifiers in a regular expression',
  target: 'time',
  code: `
    module.exports = () => {
      let source = 'a';
      for (let i = 0; i < 6; i += 1) source = '(?:' + source + '){0,400}';
      return new RegExp('^' + source + '$').test('a'.repeat(1e6) + 'b');
    };`,
  expectation: isStopped,
};
