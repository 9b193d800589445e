import { exactBytes } from '../../bridge.ts';
import type { Scope } from '../../scope.ts';
import { cryptoCertificates } from './certificates.ts';
import { cryptoExchange } from './exchange.ts';
import { cryptoJobs } from './jobs.ts';
import { type KeyParts, cryptoKeys } from './keys.ts';
import { cryptoCipher, cryptoStreams } from './streams.ts';
import { webCryptoJobs } from './web.ts';

type Errors = Record<string, new (...args: unknown[]) => Error>;

/** `internalBinding('crypto')`, on the host's OpenSSL. */
export function cryptoBinding(scope: Scope): object {
  const { call, load } = scope;
  const keys = cryptoKeys(scope);
  const notHere = (what: string) => () => {
    throw new Error(`${what} is not supported here`);
  };
  return {
    ...keys.binding,
    ...cryptoStreams(scope, keys),
    ...cryptoCipher(scope, keys),
    ...cryptoJobs(scope, keys),
    ...cryptoExchange(scope, keys),
    ...webCryptoJobs(scope, keys),
    ...cryptoCertificates(scope, keys),
    ...rsaFunctions(scope, keys),
    getHashes: () => call('crypto.hashes'),
    getCiphers: () => call('crypto.ciphers'),
    getSSLCiphers: () => [],
    getCurves: () => call('crypto.curves'),
    getCipherInfo(into: object, name: unknown, keyLength: unknown, ivLength: unknown) {
      const info = call('crypto.cipherInfo', name, keyLength, ivLength) as object;
      return Object.keys(info).length === 0 ? undefined : Object.assign(into, info);
    },
    getFipsCrypto: () => 0,
    setFipsCrypto: notHere('FIPS mode'),
    testFipsCrypto: () => false,
    setEngine: notHere('An engine'),
    secureHeapUsed: () => undefined,
    secureBuffer: (size: number) => new Uint8Array(size),
    certExportChallenge: notHere('SPKAC'),
    certExportPublicKey: notHere('SPKAC'),
    certVerifySpkac: notHere('SPKAC'),
    timingSafeEqual(a: unknown, b: unknown) {
      const { ERR_INVALID_ARG_TYPE } = load('internal/errors')['codes'] as Errors;
      const views = [a, b].map((view, index) => {
        if (ArrayBuffer.isView(view) || view instanceof ArrayBuffer) return exactBytes(view);
        const types = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
        throw new (ERR_INVALID_ARG_TYPE as Errors[string])(`buf${index + 1}`, types, view);
      }) as [Uint8Array, Uint8Array];
      if (views[0].length !== views[1].length) {
        // Node.js makes this one outside of its library.
        const error = new RangeError('Input buffers must have the same byte length');
        throw Object.assign(error, { code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH' });
      }
      let difference = 0;
      for (let i = 0; i < views[0].length; i += 1)
        difference |= (views[0][i] as number) ^ (views[1][i] as number);
      return difference === 0;
    },
  };
}

export function rsaFunctions({ call }: Scope, { argumentOf, bufferOf }: KeyParts): object {
  const names = ['publicEncrypt', 'privateDecrypt', 'privateEncrypt', 'publicDecrypt'];
  const make =
    (name: string) =>
    (
      data: unknown,
      format: unknown,
      type: unknown,
      passphrase: unknown,
      input: ArrayBufferView,
      padding: unknown,
      oaepHash: unknown,
      oaepLabel: ArrayBufferView | undefined,
    ) => {
      if (oaepHash !== undefined && call('crypto.isHash', oaepHash) !== true) {
        throw Object.assign(new Error('Invalid digest used'), { code: 'ERR_OSSL_EVP_INVALID_DIGEST' });
      }
      return bufferOf(
        call(
          `crypto.${name}`,
          argumentOf(data, format, type, passphrase),
          exactBytes(input),
          padding,
          oaepHash,
          oaepLabel && exactBytes(oaepLabel),
        ) as Uint8Array,
      );
    };
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}
