import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns a thing that is nested a hundred thousand times',
  target: 'memory',
  code: `
    module.exports = () => {
      let deep = [];
      for (let i = 0; i < 1e5; i += 1) deep = [deep];
      return deep;
    };`,
  expectation: { fails: /^RangeError: Maximum call stack size exceeded/ },
};
