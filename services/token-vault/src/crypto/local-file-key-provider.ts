import { createSecretKey, type KeyObject } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';

import { decrypt, encrypt } from './aes-gcm.ts';
import { readKeyFile } from './key-file.ts';
import type { KeyProvider, WrappedKey } from './key-provider.ts';
import { lengthPrefixed } from './length-prefixed.ts';

const label = 'glovebox/wrapped-key/1';
const noHeader = new Uint8Array();

export interface LocalFileKeys extends KeyProvider {
  readonly keyIds: readonly string[];
}

/** Reads keys from a file, for development: the file and the database together give access to everything. */
export async function openLocalFileKeyProvider(path: string): Promise<LocalFileKeys> {
  const { currentKeyId, keys } = await readKeyFile(path);
  const wrappingKeys = new Map<string, KeyObject>();
  for (const [keyId, bytes] of keys) {
    wrappingKeys.set(keyId, createSecretKey(bytes));
    bytes.fill(0);
  }
  return new LocalFileKeyProvider(path, currentKeyId, wrappingKeys);
}

class LocalFileKeyProvider implements LocalFileKeys {
  readonly currentKeyId: string;
  readonly #path: string;
  readonly #keys: ReadonlyMap<string, KeyObject>;

  constructor(path: string, currentKeyId: string, keys: ReadonlyMap<string, KeyObject>) {
    this.#path = path;
    this.currentKeyId = currentKeyId;
    this.#keys = keys;
  }

  get keyIds(): string[] {
    return [...this.#keys.keys()];
  }

  async wrap(dataKey: Uint8Array, aad: Uint8Array): Promise<WrappedKey> {
    const keyId = this.currentKeyId;
    return { keyId, wrapped: encrypt(this.#key(keyId), bound(keyId, aad), dataKey, noHeader) };
  }

  async unwrap(keyId: string, wrapped: Uint8Array, aad: Uint8Array): Promise<Buffer> {
    return decrypt(this.#key(keyId), bound(keyId, aad), wrapped);
  }

  /** The operator's error, most likely a key file of other data; so the message is explicit. */
  #key(keyId: string): KeyObject {
    const key = this.#keys.get(keyId);
    if (key) return key;
    throw new AppError('unavailable', 'The vault cannot unwrap its keys.', {
      cause: new Error(`key file ${this.#path} has no key "${keyId}", under which data keys are wrapped`),
    });
  }
}

function bound(keyId: string, aad: Uint8Array): Buffer {
  return Buffer.concat([lengthPrefixed(label, keyId), aad]);
}
