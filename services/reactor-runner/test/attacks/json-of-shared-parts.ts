import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns a small thing whose JSON is huge',
  target: 'memory',
  code: `
    module.exports = () => {
      let shared = ['x'];
      for (let i = 0; i < 40; i += 1) shared = [shared, shared];
      return shared;
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError: Invalid string length/ },
};
