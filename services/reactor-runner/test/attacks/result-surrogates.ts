import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns halves of characters',
  target: 'reader',
  code: `
    module.exports = () => ['\\ud800', '\\udfff\\ud800', { '\\udc00': 1 }];`,
  expectation: { returns: ['\ud800', '\udfff\ud800', { '\udc00': 1 }] },
};
