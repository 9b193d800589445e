import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'gives all objects the fields of property descriptors',
  target: 'host',
  code: `
    module.exports = () => {
      Object.prototype.get = () => 'polluted';
      Object.prototype.set = () => {};
      return require('crypto').randomBytes(8).length;
    };`,
  expectation: { fails: /./ },
};
