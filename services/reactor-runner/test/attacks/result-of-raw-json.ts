import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'writes JSON that is none into its result',
  target: 'reader',
  code: `
    module.exports = () => JSON.rawJSON('1,"injected":2}');`,
  expectation: { fails: /SyntaxError|TypeError|not a function/ },
};
