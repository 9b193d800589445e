import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "uses what Node's own require and module have",
  target: 'host',
  code: `
    module.exports = () => [
      typeof require.main,
      typeof require.cache,
      typeof require.extensions,
      typeof module.constructor._load,
      typeof module.paths,
      module.constructor.name,
    ];`,
  expectation: { returns: ['undefined', 'undefined', 'undefined', 'undefined', 'undefined', 'Object'] },
};
