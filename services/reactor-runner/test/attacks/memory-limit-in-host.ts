import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "fills its memory in the callback of the host's work",
  target: 'memory',
  code: `
    const { gunzip, gzipSync } = require('zlib');
    module.exports = () => new Promise(() => {
      const kept = [];
      const piece = gzipSync(Buffer.alloc(4e6));
      const again = () => gunzip(piece, (error, bytes) => {
        kept.push(bytes, new Array(1e6).fill(0));
        again();
      });
      again();
    });`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError/ },
};
