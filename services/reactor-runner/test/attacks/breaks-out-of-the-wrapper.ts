import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'closes the function that its text is put into',
  target: 'host',
  code: `
    }); globalThis.outside = this; (function () {`,
  expectation: { fails: /module.exports must be a function/ },
};
