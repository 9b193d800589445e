import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'does not parse',
  target: 'reader',
  code: `
    module.exports = () => { let let = 1; };`,
  expectation: { fails: /SyntaxError/ },
};
