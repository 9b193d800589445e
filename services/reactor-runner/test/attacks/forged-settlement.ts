import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns what the sandbox says when a call has settled',
  target: 'reader',
  code: `
    module.exports = async () => ['r{}', 't{"name":"x"}', 'u', 'n', 'a', 'l', '\\u0000\\u0007\\u0001'];`,
  expectation: { returns: ['r{}', 't{"name":"x"}', 'u', 'n', 'a', 'l', '\u0000\u0007\u0001'] },
};
