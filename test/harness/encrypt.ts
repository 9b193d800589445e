import { CompactEncrypt, importJWK, importSPKI } from 'jose';

import type { Json } from './api.ts';

/** As a browser or a phone does it: a JWE of the JSON of `data`, to a key as the API shows it. */
export async function encrypt(key: Json, data: unknown): Promise<string> {
  const { id: kid, algorithm: alg, public_key_jwk: jwk, public_key_pem: pem } = key;
  const publicKey = await (pem === undefined ? importJWK(jwk, alg) : importSPKI(pem, alg));
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(data)))
    .setProtectedHeader({ alg, enc: 'A256GCM', kid })
    .encrypt(publicKey);
}

/** The value of the header SVC-ENCRYPTED. */
export function encryptedHeader(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString('base64');
}
