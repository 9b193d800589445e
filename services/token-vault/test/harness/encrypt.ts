import { type CompactJWEHeaderParameters, CompactEncrypt, importJWK, importSPKI } from 'jose';

type Json = Record<string, unknown>;

/** As a client does it: a JWE of the JSON of `data`, to the public half of a key. */
export async function encryptTo(
  key: Json,
  data: unknown,
  header: Partial<CompactJWEHeaderParameters> = {},
): Promise<string> {
  return encryptText(key, JSON.stringify(data), header);
}

export async function encryptText(
  key: Json,
  text: string | Uint8Array,
  header: Partial<CompactJWEHeaderParameters> = {},
): Promise<string> {
  const alg = header.alg ?? 'ECDH-ES';
  const { public_key_jwk: jwk, public_key_pem: pem } = key;
  const publicKey = pem === undefined ? importJWK(jwk as Json, alg) : importSPKI(pem as string, alg);
  const plaintext = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return new CompactEncrypt(plaintext)
    .setProtectedHeader({ alg, enc: 'A256GCM', kid: String(key['id']), ...header })
    .encrypt(await publicKey);
}

/** The same JWE with another header, which its tag does not cover any more. */
export function withHeader(jwe: string, change: (header: Json) => unknown): string {
  const [header = '', ...rest] = jwe.split('.');
  const changed = change(JSON.parse(Buffer.from(header, 'base64url').toString()) as Json);
  return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.');
}
