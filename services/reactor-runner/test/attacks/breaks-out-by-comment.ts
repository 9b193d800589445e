import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'opens a comment that it never closes',
  target: 'host',
  code: `
    module.exports = () => 1; /*`,
  expectation: { fails: /SyntaxError/ },
};
