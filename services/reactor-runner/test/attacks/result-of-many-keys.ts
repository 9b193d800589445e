import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns an object of a hundred thousand keys',
  target: 'memory',
  code: `
    module.exports = () => Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ['key' + i, i]));`,
  expectation: { fails: /The result of the code is too large/ },
};
