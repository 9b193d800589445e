import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'keeps array buffers',
  target: 'memory',
  code: `
    module.exports = () => {
      const all = [];
      for (;;) all.push(new Uint8Array(1e6).fill(1));
    };`,
  expectation: {
    ends: ['timeout', 'memory', 'crashed'],
    fails: /^RangeError: Array buffer allocation failed/,
  },
};
