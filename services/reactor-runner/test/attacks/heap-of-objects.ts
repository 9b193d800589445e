import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'fills its heap with objects',
  target: 'memory',
  code: `
    module.exports = () => {
      const all = [];
      for (;;) all.push({ a: [1, 2, 3] });
    };`,
  expectation: isStopped,
};
