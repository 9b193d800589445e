import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'exports a class',
  target: 'reader',
  code: `
    module.exports = class {};`,
  expectation: { fails: /Class constructor/ },
};
