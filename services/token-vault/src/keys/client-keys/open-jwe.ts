import type { KeyObject } from 'node:crypto';

import { compactDecrypt } from 'jose';

import { algorithm } from './client-key.ts';
import { contentEncryptions } from './read-jwe-header.ts';

const options = {
  keyManagementAlgorithms: [algorithm],
  contentEncryptionAlgorithms: [...contentEncryptions],
};

/** Undefined if decryption fails. The reason is not given, because it would help an attacker. */
export async function openJwe(compact: string, privateKey: KeyObject): Promise<Buffer | undefined> {
  try {
    const { plaintext } = await compactDecrypt(compact, privateKey, options);
    return Buffer.from(plaintext.buffer, plaintext.byteOffset, plaintext.byteLength);
  } catch {
    return undefined;
  }
}
