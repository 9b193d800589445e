import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns a proxy of an array without an end',
  target: 'time',
  code: `
    module.exports = () => new Proxy([], {
      get: (target, name) => (name === 'length' ? 2 ** 53 - 1 : 1),
    });`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError: Invalid string length/ },
};
