import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "gives all objects the fields that the host's answers have",
  target: 'host',
  code: `
    Object.prototype.e = { name: 'Error', message: 'by itself', fields: { name: 'polluted' } };
    module.exports = () => require('crypto').randomBytes(8).length;`,
  expectation: { fails: /^polluted: by itself/ },
};
