import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'pads strings to the limit',
  target: 'memory',
  code: `
    module.exports = () => {
      const all = [];
      for (let i = 0; ; i += 1) all.push('x'.padStart(2 ** 28, 'y' + i).split(''));
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError: Invalid string length/ },
};
