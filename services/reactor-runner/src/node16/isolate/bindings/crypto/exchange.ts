import { exactBytes } from '../../bridge.ts';
import type { Scope } from '../../scope.ts';
import type { KeyParts } from './keys.ts';

/** Key agreement of `internalBinding('crypto')`; the keys are held here. */
export function cryptoExchange({ call }: Scope, { argumentOf, bufferOf }: KeyParts): object {
  const missing = (which: string) =>
    Object.assign(new Error(`No ${which} key - did you forget to generate one?`), {
      code: 'ERR_CRYPTO_INVALID_STATE',
    });
  const copy = (bytes: Uint8Array | undefined, which: string) => {
    if (bytes === undefined) throw missing(which);
    return bufferOf(bytes.slice());
  };

  class ECDH {
    readonly #curve: string;
    #private: Uint8Array | undefined;
    #public: Uint8Array | undefined;
    constructor(curve: string) {
      call('crypto.ecdhCheck', curve);
      this.#curve = curve;
    }
    generateKeys() {
      [this.#private, this.#public] = call('crypto.ecdhGenerate', this.#curve);
    }
    computeSecret(other: ArrayBufferView) {
      if (this.#private === undefined) throw missing('private');
      return bufferOf(call('crypto.ecdhSecret', this.#curve, this.#private, exactBytes(other)));
    }
    getPrivateKey() {
      if (this.#private === undefined) throw new Error('Failed to get ECDH private key');
      return bufferOf(this.#private.slice());
    }
    getPublicKey(format: number) {
      if (this.#public === undefined)
        throw Object.assign(new Error('Failed to get ECDH public key'), {
          code: 'ERR_CRYPTO_ECDH_INVALID_KEY',
        });
      return bufferOf(call('crypto.ecdhConvert', this.#public, this.#curve, format));
    }
    setPrivateKey(key: ArrayBufferView) {
      const bytes = new Uint8Array(exactBytes(key));
      this.#public = call('crypto.ecdhPublic', this.#curve, bytes);
      this.#private = bytes;
    }
    setPublicKey(key: ArrayBufferView) {
      this.#public = call('crypto.ecdhConvert', exactBytes(key), this.#curve, 4);
    }
  }

  class DiffieHellman {
    readonly spec: readonly unknown[];
    readonly #prime: Uint8Array;
    readonly #generator: Uint8Array;
    readonly verifyError: number;
    #private: Uint8Array | undefined;
    #public: Uint8Array | undefined;
    constructor(first: unknown, second?: unknown) {
      const plain = (value: unknown) => (typeof value === 'number' ? value : exactBytes(value));
      const asked =
        typeof first === 'string'
          ? ['group', first]
          : [typeof first === 'number' ? 'size' : 'prime', plain(first), plain(second)];
      const opened = call('crypto.dhOpen', asked);
      this.#prime = opened.prime;
      this.#generator = opened.generator;
      this.verifyError = opened.verifyError;
      this.spec = asked[0] === 'group' ? asked : ['prime', opened.prime, opened.generator];
    }
    generateKeys() {
      [this.#private, this.#public] = call('crypto.dhGenerate', this.spec, this.#private);
      return this.getPublicKey();
    }
    computeSecret(other: ArrayBufferView) {
      if (this.#private === undefined) throw missing('private');
      return bufferOf(call('crypto.dhSecret', this.spec, this.#private, exactBytes(other)));
    }
    getPrime() {
      return bufferOf(this.#prime.slice());
    }
    getGenerator() {
      return bufferOf(this.#generator.slice());
    }
    getPublicKey() {
      return copy(this.#public, 'public');
    }
    getPrivateKey() {
      return copy(this.#private, 'private');
    }
    setPublicKey(key: ArrayBufferView) {
      this.#public = new Uint8Array(exactBytes(key));
    }
    setPrivateKey(key: ArrayBufferView) {
      this.#private = new Uint8Array(exactBytes(key));
    }
  }
  return {
    ECDH,
    DiffieHellman,
    DiffieHellmanGroup: class DiffieHellmanGroup extends DiffieHellman {},
    ECDHConvertKey: (key: ArrayBufferView, curve: string, format: number) =>
      bufferOf(call('crypto.ecdhConvert', exactBytes(key), curve, format)),
    statelessDH: (privateKey: unknown, publicKey: unknown) =>
      bufferOf(call('crypto.dhStateless', argumentOf(privateKey), argumentOf(publicKey))),
  };
}
