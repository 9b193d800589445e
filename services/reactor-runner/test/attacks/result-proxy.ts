import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns a proxy whose every property is another proxy',
  target: 'reader',
  code: `
    const handler = { get: (target, name) => (name === 'then' || name === 'toJSON' ? undefined : target[name]) };
    module.exports = () => new Proxy({ a: 1 }, handler);`,
  expectation: { returns: { a: 1 } },
};
