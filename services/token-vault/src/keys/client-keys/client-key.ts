import { createPublicKey, generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

import type { ClientKey } from '../../store/client-keys.ts';
import type { JsonObject } from '../../values/json-value.ts';

/** ECDH-ES over P-256 (RFC 7518, section 4.6) works in every browser and phone. One algorithm leaves no wrong choice. */
export const algorithm = 'ECDH-ES';
const namedCurve = 'P-256';

export type Encoding = ClientKey['encoding'];
export const encodings: readonly Encoding[] = ['JWK', 'PEM'];

export interface NewKeyPair {
  readonly id: string;
  readonly publicKey: JsonObject;
  /** PKCS #8 in DER; the caller overwrites it after use. */
  readonly privateKey: Buffer;
}

const generate = promisify(generateKeyPair);

export async function newKeyPair(): Promise<NewKeyPair> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve });
  return {
    id: randomUUID(),
    publicKey: publicKey.export({ format: 'jwk' }) as JsonObject,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

export function presentClientKey(key: ClientKey): JsonObject {
  return {
    id: key.id,
    tenant_id: key.tenantId,
    encoding: key.encoding,
    algorithm,
    ...publicKeyOf(key),
    ...(key.expiresAtText !== null && { expires_at: key.expiresAtText }),
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
  };
}

function publicKeyOf({ id, encoding, publicKey }: ClientKey): JsonObject {
  if (encoding === 'JWK') return { public_key_jwk: { ...publicKey, kid: id, use: 'enc', alg: algorithm } };
  const pem = createPublicKey({ key: publicKey, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
  return { public_key_pem: pem.toString() };
}
