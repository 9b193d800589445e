import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws nothing',
  target: 'reader',
  code: `
    module.exports = async () => {
      throw undefined;
    };`,
  expectation: { fails: /^undefined$/ },
};
