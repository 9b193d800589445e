import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'calls itself without end',
  target: 'time',
  code: `
    const f = () => 1 + f();
    module.exports = f;`,
  expectation: { fails: /^RangeError: Maximum call stack size exceeded/ },
};
