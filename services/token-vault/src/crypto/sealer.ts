import { keyVersionOf, open, seal, type Binding } from './envelope.ts';
import type { Keyring } from './keyring.ts';

/** Seals and opens with the keys of the tenant that the binding names. */
export class Sealer {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  async seal(binding: Binding, plaintext: Uint8Array): Promise<Buffer> {
    return seal(await this.#keyring.currentSealingKey(binding.tenantId), binding, plaintext);
  }

  /** Of the data key that seals now. */
  async currentVersion(tenantId: string): Promise<number> {
    return (await this.#keyring.currentSealingKey(tenantId)).version;
  }

  async open(binding: Binding, envelope: Uint8Array): Promise<Buffer> {
    const version = keyVersionOf(envelope);
    return open(await this.#keyring.sealingKey(binding.tenantId, version), binding, envelope);
  }
}
