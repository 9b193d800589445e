import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "uses what Node's own require and module have",
  target: 'host',
  code: `
    module.exports = () => [
      typeof require.main,
      Object.keys(require.cache).length,
      Object.keys(require.extensions).length,
      typeof module.constructor._load,
      module.paths.length + module.children.length,
      module.constructor.name,
    ];`,
  expectation: { returns: ['undefined', 0, 0, 'undefined', 0, 'Object'] },
};
