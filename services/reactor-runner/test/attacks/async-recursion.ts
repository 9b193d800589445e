import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'awaits itself without end',
  target: 'time',
  code: `
    module.exports = async function f() {
      await null;
      return f();
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError/ },
};
