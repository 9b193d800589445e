import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'hands proxies and functions to the host',
  target: 'host',
  code: `
    const crypto = require('crypto');
    const zlib = require('zlib');
    const proxy = () => new Proxy(function () {}, {});
    module.exports = () => {
      const foreign = [];
      for (const attempt of [
        () => crypto.randomBytes(proxy()),
        () => crypto.createHash(proxy()),
        () => crypto.createHmac('sha1', proxy()),
        () => crypto.createPublicKey({ key: proxy(), format: 'jwk' }),
        () => crypto.createPublicKey({ key: { kty: 'RSA', n: proxy(), e: proxy() }, format: 'jwk' }),
        () => crypto.generateKeyPairSync('rsa', { modulusLength: 512, publicExponent: proxy() }),
        () => crypto.timingSafeEqual(proxy(), proxy()),
        () => zlib.gunzipSync(proxy()),
        () => zlib.deflateSync('a', { dictionary: proxy() }),
        () => new URL(proxy()),
        () => Buffer.from(proxy()),
        () => Buffer.from(proxy(), proxy()),
        () => console.log(proxy()),
      ]) {
        try {
          attempt();
        } catch (error) {
          if (!(error instanceof Error)) foreign.push(String(attempt));
        }
      }
      return foreign;
    };`,
  expectation: { returns: [] },
};
