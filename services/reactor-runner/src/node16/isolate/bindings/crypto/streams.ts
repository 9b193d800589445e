import { exactBytes } from '../../bridge.ts';
import type { Scope } from '../../scope.ts';
import type { KeyParts } from './keys.ts';

/** Of text; `buffer` says that there is none. The library has checked it. */
type Encoding = BufferEncoding | 'buffer' | undefined;

/** Hashes, signatures and ciphers of `internalBinding('crypto')`. */
export function cryptoStreams(
  { call, load }: Scope,
  { argumentOf, bufferOf, KeyObjectHandle }: KeyParts,
): object {
  const copyOf = (data: unknown, encoding?: Encoding) => new Uint8Array(bytesOf(load, data, encoding));
  const encoded = (bytes: Uint8Array, encoding: Encoding) =>
    encoding === undefined || encoding === 'buffer' ? bufferOf(bytes) : bufferOf(bytes).toString(encoding);

  /** Collects what it is given; the host sees it once, at the end. */
  class Collector {
    chunks: Uint8Array[] = [];
    update(data: unknown, encoding?: Encoding) {
      this.chunks.push(copyOf(data, encoding));
      return true;
    }
  }
  class Hash extends Collector {
    readonly algorithm: string;
    readonly outputLength: number | undefined;
    #digest: Uint8Array | undefined;
    constructor(algorithm: string | Hash, outputLength?: number) {
      super();
      const from = algorithm instanceof Hash ? algorithm : undefined;
      this.algorithm = algorithm instanceof Hash ? algorithm.algorithm : algorithm;
      this.outputLength = outputLength ?? from?.outputLength;
      if (from !== undefined) this.chunks = [...from.chunks];
      call('crypto.checkHash', this.algorithm, this.outputLength);
    }
    digest(encoding?: Encoding) {
      this.#digest ??= call('crypto.hash', this.algorithm, this.chunks, this.outputLength);
      return encoded(this.#digest, encoding);
    }
  }
  class Hmac extends Collector {
    #algorithm = '';
    #key: Uint8Array = new Uint8Array(0);
    init(algorithm: string, key: unknown) {
      call('crypto.checkHmac', algorithm);
      this.#algorithm = algorithm;
      this.#key = key instanceof KeyObjectHandle ? key.data : copyOf(key);
    }
    digest(encoding?: Encoding) {
      return encoded(call('crypto.hmac', this.#algorithm, this.#key, this.chunks), encoding);
    }
  }
  class Signer extends Collector {
    algorithm = '';
    init(algorithm: string) {
      call('crypto.checkSign', algorithm);
      this.algorithm = algorithm;
    }
  }
  class Sign extends Signer {
    sign(
      data: unknown,
      format: unknown,
      type: unknown,
      passphrase: unknown,
      padding: unknown,
      salt: unknown,
      encoding: unknown,
    ) {
      const key = argumentOf(data, format, type, passphrase);
      return bufferOf(call('crypto.sign', this.algorithm, this.chunks, key, padding, salt, encoding));
    }
  }
  class Verify extends Signer {
    verify(
      data: unknown,
      format: unknown,
      type: unknown,
      passphrase: unknown,
      signature: ArrayBufferView,
      padding: unknown,
      salt: unknown,
      encoding: unknown,
    ) {
      const key = argumentOf(data, format, type, passphrase);
      return call(
        'crypto.verify',
        this.algorithm,
        this.chunks,
        key,
        exactBytes(signature),
        padding,
        salt,
        encoding,
      );
    }
  }
  return { Hash, Hmac, Sign, Verify };
}

/** `CipherBase`: a cipher of the host, by number. */
export function cryptoCipher(
  { call, load, process }: Scope,
  { argumentOf, bufferOf, KeyObjectHandle }: KeyParts,
): object {
  class CipherBase {
    readonly #encrypts: boolean;
    #id: number | undefined;
    #tag: Uint8Array | undefined;
    constructor(encrypts: boolean) {
      this.#encrypts = encrypts;
    }
    init(name: string, password: ArrayBufferView, tagLength: number) {
      if (this.#encrypts && /-(?:ccm|ctr|gcm)$/i.test(name)) {
        process.emitWarning(`Use Cipheriv for counter mode of ${name}`);
      }
      this.#id = call('crypto.cipherOfPassword', this.#encrypts, name, exactBytes(password), tagLength);
    }
    initiv(name: string, key: unknown, iv: ArrayBufferView | null, tagLength: number) {
      const secret = key instanceof KeyObjectHandle ? argumentOf(key) : exactBytes(key);
      this.#id = call(
        'crypto.cipher',
        this.#encrypts,
        name,
        secret,
        iv === null ? null : exactBytes(iv),
        tagLength,
      );
    }
    update(data: unknown, encoding?: Encoding) {
      const bytes = bytesOf(load, data, encoding);
      return bufferOf(call('crypto.cipherUpdate', this.#open(), bytes));
    }
    final() {
      const id = this.#open();
      this.#id = undefined;
      const { output, tag } = call('crypto.cipherFinal', id);
      this.#tag = tag;
      return bufferOf(output);
    }
    setAutoPadding(on: boolean) {
      return this.#attempt('crypto.cipherPadding', on);
    }
    getAuthTag() {
      return this.#tag === undefined ? undefined : bufferOf(this.#tag.slice());
    }
    setAuthTag(tag: ArrayBufferView) {
      return this.#attempt('crypto.cipherTag', exactBytes(tag));
    }
    setAAD(data: ArrayBufferView, plaintextLength: number) {
      return this.#attempt('crypto.cipherAad', exactBytes(data), plaintextLength);
    }
    #open(): number {
      if (this.#id !== undefined) return this.#id;
      throw Object.assign(new Error('Unsupported state or unable to authenticate data'), {
        code: 'ERR_CRYPTO_INVALID_STATE',
      });
    }
    #attempt(operation: string, ...args: unknown[]): boolean {
      if (this.#id === undefined) return false;
      call(operation, this.#id, ...args);
      return true;
    }
  }
  return { CipherBase };
}

/** Bytes of exactly their size. */
export function bytesOf(load: Scope['load'], data: unknown, encoding: Encoding): Uint8Array {
  if (typeof data !== 'string') return exactBytes(data);
  const { Buffer } = load('buffer');
  return exactBytes(Buffer.from(data, encoding === 'buffer' ? 'utf8' : encoding));
}
