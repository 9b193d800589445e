import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'is given names that pollute prototypes',
  target: 'host',
  code: `
    module.exports = (req) => {
      const merged = Object.assign({}, req);
      return [typeof {}.polluted, Object.hasOwn(req, '__proto__') || req.polluted === undefined];
    };`,
  argument: JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  expectation: { returns: ['undefined', true] },
};
