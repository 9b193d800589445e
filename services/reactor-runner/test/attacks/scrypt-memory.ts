import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'derives keys that need much memory, side by side',
  target: 'memory',
  code: `
    const { scrypt } = require('crypto');
    module.exports = () => new Promise((resolve, reject) => {
      for (let i = 0; i < 1000; i += 1) scrypt('password', 'salt', 64, { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 30 }, (error) => error && reject(error));
    });`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
