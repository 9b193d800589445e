import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks for sixteen gigabytes of random bytes in pieces',
  target: 'memory',
  code: `
    const { randomBytes } = require('crypto');
    module.exports = () => new Promise((resolve, reject) => {
      const kept = [];
      for (let i = 0; i < 1000; i += 1) randomBytes(16e6, (error, bytes) => (error ? reject(error) : kept.push(bytes)));
    });`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
