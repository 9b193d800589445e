import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'opens brotli engines with the largest windows',
  target: 'memory',
  code: `
    const { brotliCompressSync, constants, createBrotliCompress } = require('zlib');
    const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: 1e9 };
    module.exports = () => new Promise(() => {
      for (let i = 0; i < 256; i += 1) createBrotliCompress({ params }).write(Buffer.alloc(1e6, i));
    });`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
