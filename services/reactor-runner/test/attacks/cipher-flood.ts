import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'opens ciphers without end',
  target: 'memory',
  code: `
    const { createCipheriv } = require('crypto');
    module.exports = () => {
      const all = [];
      for (;;) all.push(createCipheriv('aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12)));
    };`,
  expectation: isStopped,
};
