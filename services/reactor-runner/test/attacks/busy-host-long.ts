import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'asks the host for a derivation that takes long',
  target: 'time',
  code: `
    const { pbkdf2Sync } = require('crypto');
    module.exports = () => pbkdf2Sync('password', 'salt', 5e6, 20, 'sha512').length;`,
  expectation: isStopped,
};
