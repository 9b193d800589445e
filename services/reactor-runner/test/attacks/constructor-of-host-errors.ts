import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "asks errors of the host's work for their global object",
  target: 'host',
  code: `
    const crypto = require('crypto');
    const zlib = require('zlib');
    module.exports = async () => {
      const attempts = [
        () => crypto.createHash('none'),
        () => crypto.createCipheriv('aes-256-gcm', 'short', 'iv'),
        () => crypto.createPrivateKey('no key'),
        () => crypto.pbkdf2Sync('a', 'b', 1e9, 64, 'sha512'),
        () => crypto.scryptSync('a', 'b', 64, { N: 3 }),
        () => crypto.getCurves('x').map(crypto.createECDH)[0].computeSecret('x'),
        () => zlib.gunzipSync('no gzip'),
        () => zlib.brotliDecompressSync('no brotli'),
        () => new URL('no url'),
        () => new TextDecoder('none'),
        () => new Promise((resolve, reject) => crypto.generateKeyPair('rsa', { modulusLength: 8 }, reject)),
        () => new Promise((resolve, reject) => zlib.inflate('no zlib', reject)),
      ];
      const foreign = [];
      for (const attempt of attempts) {
        try {
          await attempt();
          foreign.push('no error: ' + attempt);
        } catch (error) {
          const isOwn = error instanceof Error && error.constructor.constructor('return this')() === globalThis;
          if (!isOwn || /file:|\\.ts\\b|sandbox|node_modules/.test(error.stack)) foreign.push(error.stack);
        }
      }
      return foreign;
    };`,
  expectation: { returns: [] },
};
