import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'exports no function',
  target: 'reader',
  code: `
    module.exports = { call() {}, apply() {} };`,
  expectation: { fails: /module.exports must be a function/ },
};
