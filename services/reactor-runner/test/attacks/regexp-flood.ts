import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'keeps large regular expressions',
  target: 'memory',
  code: `
    module.exports = () => {
      const all = [];
      for (let i = 0; ; i += 1) {
        const one = new RegExp('(?:' + 'abcdefgh|'.repeat(500) + i + ')+$');
        one.test('abcdefgh'.repeat(20));
        all.push(one);
      }
    };`,
  expectation: isStopped,
};
