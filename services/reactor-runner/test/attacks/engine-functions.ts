import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'calls functions of the engine itself',
  target: 'host',
  code: `
    module.exports = () => new Function('return %DebugPrint(1)')();`,
  expectation: { fails: /SyntaxError/ },
};
