import { exactBytes } from '../../bridge.ts';
import type { BytesOperation } from '../../host-results.ts';
import type { Scope } from '../../scope.ts';
import { hashSize } from './jobs.ts';
import type { KeyHandle, KeyParts } from './keys.ts';

type Work = (...args: never[]) => Uint8Array | boolean;

/** The jobs of `internalBinding('crypto')` that only Web Crypto has. */
export function webCryptoJobs({ call, load }: Scope, { argumentOf }: KeyParts): object {
  const later = (run: () => void) => load('timers').setImmediate(run);
  const copy = (view: unknown) => exactBytes(view);
  const bytes = (operation: BytesOperation, ...args: unknown[]) => call(operation, ...args);
  const oaepPadding = 4;

  const isBytes = (value: unknown) => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;

  function jobOf(work: Work) {
    return class Job {
      ondone: ((error: unknown, value?: unknown) => void) | undefined;
      readonly #args: unknown[];
      constructor(_mode: number, ...args: unknown[]) {
        // What the caller changes from now on must not matter.
        this.#args = args.map((arg) => (isBytes(arg) ? new Uint8Array(copy(arg)) : arg));
      }
      run() {
        later(() => {
          let value: unknown;
          try {
            const done: Uint8Array | boolean = Reflect.apply(work, undefined, this.#args);
            value = typeof done === 'boolean' ? done : done.buffer;
          } catch (error) {
            this.ondone?.(error);
            return;
          }
          this.ondone?.(undefined, value);
        });
      }
    };
  }

  function aes(
    mode: number,
    key: KeyHandle,
    data: unknown,
    name: string,
    iv?: unknown,
    tag?: unknown,
    aad?: unknown,
  ) {
    const encrypts = mode === 0;
    const wrapIv = new Uint8Array(8).fill(0xa6);
    const isGcm = name.endsWith('gcm');
    return bytes(
      'crypto.aes',
      encrypts,
      name,
      key.data,
      name.endsWith('wrap') ? wrapIv : copy(iv),
      copy(data),
      isGcm && aad !== undefined ? copy(aad) : undefined,
      isGcm ? (encrypts ? tag : copy(tag)) : undefined,
    );
  }

  const exported = (format: number, key: KeyHandle) =>
    format === 0 ? bytes('crypto.rawPublic', argumentOf(key)) : new Uint8Array(key.data);
  const variants = [128, 192, 256].flatMap(
    (bits) =>
      [
        [`kKeyVariantAES_CTR_${bits}`, `aes-${bits}-ctr`],
        [`kKeyVariantAES_CBC_${bits}`, `aes-${bits}-cbc`],
        [`kKeyVariantAES_GCM_${bits}`, `aes-${bits}-gcm`],
        [`kKeyVariantAES_KW_${bits}`, `aes${bits}-wrap`],
      ] as const,
  );
  return {
    ...Object.fromEntries<string>(variants),
    kWebCryptoKeyFormatRaw: 0,
    kWebCryptoKeyFormatPKCS8: 1,
    kWebCryptoKeyFormatSPKI: 2,
    kWebCryptoKeyFormatJWK: 3,
    kWebCryptoCipherEncrypt: 0,
    kWebCryptoCipherDecrypt: 1,
    HashJob: class extends jobOf((name: string, data: unknown) => bytes('crypto.hash', name, copy(data))) {
      constructor(mode: number, name: string, data: unknown, bits?: number) {
        super(mode, name, data);
        if (bits !== undefined && bits !== 8 * hashSize(call, name)) {
          throw new Error('Digest method not supported');
        }
      }
    },
    HmacJob: jobOf((mode: number, name: string, key: KeyHandle, data: unknown, signature: unknown) => {
      const mac = bytes('crypto.hmac', name, key.data, copy(data));
      if (mode === 0) return mac;
      const given = copy(signature);
      return given.length === mac.length && given.every((byte, i) => byte === mac[i]);
    }),
    AESCipherJob: jobOf(aes),
    RSACipherJob: jobOf(
      (mode: number, key: KeyHandle, data: unknown, _variant: number, hash: string, label?: unknown) => {
        const operation = mode === 0 ? 'crypto.publicEncrypt' : 'crypto.privateDecrypt';
        return bytes(
          operation,
          argumentOf(key),
          copy(data),
          oaepPadding,
          hash,
          label === undefined ? undefined : copy(label),
        );
      },
    ),
    RSAKeyExportJob: jobOf((format: number, key: KeyHandle) => exported(format, key)),
    ECKeyExportJob: jobOf((format: number, key: KeyHandle) => exported(format, key)),
    ECDHBitsJob: jobOf((_name: string, publicKey: KeyHandle, privateKey: KeyHandle) =>
      bytes('crypto.dhStateless', argumentOf(privateKey), argumentOf(publicKey)),
    ),
  };
}
