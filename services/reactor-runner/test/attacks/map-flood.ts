import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: "breaks V8's own limits with a map",
  target: 'memory',
  code: `
    module.exports = () => {
      const map = new Map();
      for (let i = 0; ; i += 1) map.set(i, i);
    };`,
  expectation: isStopped,
};
