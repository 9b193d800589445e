import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'leaves a gigabyte of what the host makes behind',
  target: 'memory',
  code: `
    const { pbkdf2 } = require('crypto');
    module.exports = () => {
      for (let i = 0; i < 1000; i += 1) pbkdf2('password', 'salt', 1, 1e6, 'sha1', () => {});
      return 'gone';
    };`,
  expectation: { returns: 'gone' },
};
