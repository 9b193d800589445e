import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns nothing',
  target: 'reader',
  code: `
    module.exports = () => undefined;`,
  expectation: { returns: undefined },
};
