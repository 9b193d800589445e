import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'looks behind the bytes that the host gives it',
  target: 'host',
  code: `
    const crypto = require('crypto');
    const zlib = require('zlib');
    module.exports = async () => {
      const given = [
        crypto.createHash('sha256').update('a').digest(),
        crypto.createHmac('sha256', 'k').update('a').digest(),
        crypto.pbkdf2Sync('a', 'b', 1, 16, 'sha1'),
        crypto.randomBytes(5),
        crypto.createECDH('prime256v1').generateKeys(),
        zlib.gzipSync('text'),
        await new Promise((resolve, reject) => crypto.scrypt('a', 'b', 16, (error, key) => (error ? reject(error) : resolve(key)))),
        await new Promise((resolve, reject) => zlib.deflateRaw('text', (error, bytes) => (error ? reject(error) : resolve(bytes)))),
      ];
      const beyond = (bytes) => {
        const all = new Uint8Array(bytes.buffer);
        return all.filter((byte, i) => byte !== 0 && (i < bytes.byteOffset || i >= bytes.byteOffset + bytes.byteLength)).length;
      };
      // Room that the library itself has made for it is zeroed.
      return given.map(beyond).filter((count) => count > 0);
    };`,
  expectation: { returns: [] },
};
