import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'inflates a bomb at once',
  target: 'memory',
  code: `
    const { gunzipSync, gzipSync } = require('zlib');
    module.exports = () => {
      const bomb = Buffer.concat(new Array(2000).fill(gzipSync(Buffer.alloc(1e6))));
      return gunzipSync(bomb).length;
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
