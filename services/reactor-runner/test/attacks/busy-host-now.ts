import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'keeps the host busy, call after call',
  target: 'time',
  code: `
    const { pbkdf2Sync } = require('crypto');
    module.exports = () => {
      for (;;) pbkdf2Sync('password', 'salt', 1e5, 64, 'sha512');
    };`,
  expectation: isStopped,
};
