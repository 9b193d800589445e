import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws null',
  target: 'reader',
  code: `
    module.exports = () => {
      throw null;
    };`,
  expectation: { fails: /^null$/ },
};
