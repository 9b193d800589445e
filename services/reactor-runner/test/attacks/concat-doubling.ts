import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'doubles an array',
  target: 'memory',
  code: `
    module.exports = () => {
      let all = [1.5, 2.5];
      for (;;) all = all.concat(all);
    };`,
  expectation: isStopped,
};
