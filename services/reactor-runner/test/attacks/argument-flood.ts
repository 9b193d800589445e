import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'calls a function with millions of arguments',
  target: 'memory',
  code: `
    module.exports = () => {
      const numbers = new Array(5e6).fill(1);
      return Math.max(...numbers) + String.fromCharCode.apply(null, numbers).length;
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError/ },
};
