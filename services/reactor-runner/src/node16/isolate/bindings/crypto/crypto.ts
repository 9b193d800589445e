import { exactBytes } from '../../bridge.ts';
import type { Scope } from '../../scope.ts';
import { cryptoCertificates } from './certificates.ts';
import { cryptoExchange } from './exchange.ts';
import { cryptoJobs } from './jobs.ts';
import { type KeyParts, cryptoKeys } from './keys.ts';
import { cryptoCipher, cryptoStreams } from './streams.ts';
import { webCryptoJobs } from './web.ts';

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
      const info = call('crypto.cipherInfo', name, keyLength, ivLength);
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
      const bytesOf = (view: unknown, name: string) => {
        if (ArrayBuffer.isView(view) || view instanceof ArrayBuffer) return exactBytes(view);
        const types = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
        throw new (load('internal/errors').codes.ERR_INVALID_ARG_TYPE)(name, types, view);
      };
      const [one, other] = [bytesOf(a, 'buf1'), bytesOf(b, 'buf2')];
      if (one.length !== other.length) {
        // Node.js makes this one outside of its library.
        const error = new RangeError('Input buffers must have the same byte length');
        throw Object.assign(error, { code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH' });
      }
      let difference = 0;
      for (let i = 0; i < one.length; i += 1) difference |= one[i]! ^ other[i]!;
      return difference === 0;
    },
  };
}

export function rsaFunctions({ call }: Scope, { argumentOf, bufferOf }: KeyParts): object {
  const names = ['publicEncrypt', 'privateDecrypt', 'privateEncrypt', 'publicDecrypt'] as const;
  const make =
    (name: (typeof names)[number]) =>
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
        ),
      );
    };
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}
