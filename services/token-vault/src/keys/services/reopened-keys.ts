import type { KeyProvider, WrappedKey } from '../../crypto/key-provider.ts';
import { KeyServiceError } from './key-service-error.ts';

/** Key-encryption keys that can be dropped from memory. When they are needed again, they are opened as they are then. */
export class ReopenedKeys implements KeyProvider {
  readonly #open: () => Promise<KeyProvider>;
  #provider: Promise<KeyProvider> | undefined;
  #currentKeyId: string;

  constructor(opened: KeyProvider, open: () => Promise<KeyProvider>) {
    this.#open = open;
    this.#provider = Promise.resolve(opened);
    this.#currentKeyId = opened.currentKeyId;
  }

  get currentKeyId(): string {
    return this.#currentKeyId;
  }

  async wrap(dataKey: Uint8Array, aad: Uint8Array): Promise<WrappedKey> {
    return (await this.#keys()).wrap(dataKey, aad);
  }

  async unwrap(keyId: string, wrapped: Uint8Array, aad: Uint8Array): Promise<Buffer> {
    return (await this.#keys()).unwrap(keyId, wrapped, aad);
  }

  drop(): void {
    this.#provider = undefined;
  }

  #keys(): Promise<KeyProvider> {
    return (this.#provider ??= this.#opened());
  }

  async #opened(): Promise<KeyProvider> {
    try {
      const keys = await this.#open();
      this.#currentKeyId = keys.currentKeyId;
      return keys;
    } catch (error) {
      this.#provider = undefined;
      throw new KeyServiceError('the key-encryption keys cannot be opened again', { cause: error });
    }
  }
}
