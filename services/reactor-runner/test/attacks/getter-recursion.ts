import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns a getter that gives another one without end',
  target: 'time',
  code: `
    const bomb = () => ({
      get next() {
        return bomb();
      },
    });
    module.exports = bomb;`,
  expectation: { fails: /^RangeError/ },
};
