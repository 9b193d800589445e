import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'evaluates code that evaluates code',
  target: 'time',
  code: `
    module.exports = function f() {
      return new Function('f', 'return f()')(f);
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError/ },
};
