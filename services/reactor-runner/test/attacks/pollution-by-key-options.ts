import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'hands names that pollute prototypes to the host',
  target: 'host',
  code: `
    const crypto = require('crypto');
    module.exports = () => {
      const bad = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"modulusLength":512}');
      for (const attempt of [
        () => crypto.createPublicKey({ key: { ...bad, kty: 'RSA' }, format: 'jwk' }),
        () => crypto.generateKeyPairSync('rsa', bad),
        () => crypto.createHash('sha256', bad),
        () => crypto.scryptSync('a', 'b', 8, bad),
      ]) {
        try {
          attempt();
        } catch {}
      }
      return typeof {}.polluted;
    };`,
  expectation: { returns: 'undefined' },
};
