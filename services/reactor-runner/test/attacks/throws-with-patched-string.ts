import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces String and throws no error',
  target: 'reader',
  code: `
    globalThis.String = () => {
      throw new Error('patched');
    };
    module.exports = () => {
      throw 5;
    };`,
  expectation: { fails: /^5$/ },
};
