import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'compiles code without end',
  target: 'memory',
  code: `
    module.exports = () => {
      const all = [];
      for (let i = 0; ; i += 1) all.push(new Function('return ' + '+1'.repeat(1000) + '//' + i)());
    };`,
  expectation: isStopped,
};
