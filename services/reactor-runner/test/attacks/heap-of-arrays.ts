import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'fills its heap with arrays',
  target: 'memory',
  code: `
    module.exports = () => {
      const all = [];
      for (;;) all.push(new Array(1e6).fill(1));
    };`,
  expectation: isStopped,
};
