import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns an array of four thousand million holes',
  target: 'memory',
  code: `
    module.exports = () => {
      const holes = [];
      holes.length = 2 ** 32 - 1;
      return holes;
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError: Invalid string length/ },
};
