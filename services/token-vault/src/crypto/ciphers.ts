import { keyBytes, nonceBytes, tagBytes } from './aes-gcm.ts';

const aesGcm = {
  algorithm: 'AES-256-GCM',
  key_bits: keyBytes * 8,
  nonce_bits: nonceBytes * 8,
  nonce: 'random',
  tag_bits: tagBytes * 8,
};
const hmac = { algorithm: 'HMAC-SHA256', key_bits: keyBytes * 8 };

/** An inventory of everything that the vault protects, and how. */
export const ciphers = [
  { protects: 'token data and secrets of other services', envelope_format: 2, ...aesGcm },
  { protects: 'data, index and audit keys', ...aesGcm },
  { protects: 'each purpose of a stored key', algorithm: 'HKDF-SHA256', key_bits: keyBytes * 8 },
  { protects: 'columns of tokens and client keys beside their sealed data', ...hmac },
  { protects: 'fingerprints', ...hmac },
  { protects: 'search indexes', ...hmac },
  { protects: 'seals of the audit log', ...hmac },
];
