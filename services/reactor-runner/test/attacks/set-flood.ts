import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: "breaks V8's own limits with a set",
  target: 'memory',
  code: `
    module.exports = () => {
      const set = new Set();
      for (let i = 0; ; i += 1) set.add(i);
    };`,
  expectation: isStopped,
};
