import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns names that pollute prototypes',
  target: 'reader',
  code: `
    module.exports = () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');`,
  expectation: {
    returns: JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  },
};
