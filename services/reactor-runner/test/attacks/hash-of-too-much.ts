import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'hashes gigabytes, piece by piece',
  target: 'memory',
  code: `
    const { createHash } = require('crypto');
    module.exports = () => {
      const hash = createHash('sha256');
      const piece = Buffer.alloc(8e6, 1);
      for (let i = 0; i < 1000; i += 1) hash.update(piece);
      return hash.digest('hex');
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
