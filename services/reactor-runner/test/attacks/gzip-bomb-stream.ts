import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'inflates a bomb in a stream and keeps it',
  target: 'memory',
  code: `
    const { createGunzip, gzipSync } = require('zlib');
    module.exports = () => new Promise((resolve, reject) => {
      const kept = [];
      const stream = createGunzip().on('data', (chunk) => kept.push(chunk)).on('end', resolve).on('error', reject);
      stream.end(Buffer.concat(new Array(2000).fill(gzipSync(Buffer.alloc(1e6)))));
    });`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
