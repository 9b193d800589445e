import { type CallHost, exactBytes } from '../../bridge.ts';
import type { PackedKey } from '../../host-results.ts';
import type { Scope } from '../../scope.ts';
import type { KeyParts } from './keys.ts';

type Prepared = readonly [operation: string, args: readonly unknown[], finish: (value: unknown) => unknown];

/** The jobs of `internalBinding('crypto')`: done by the host, at once or later. */
export function cryptoJobs(scope: Scope, { argumentOf, handleOf, KeyObjectHandle }: KeyParts): object {
  const { call, jobs } = scope;
  const copies = (...views: unknown[]) => views.map((view) => exactBytes(view));
  const buffer = (value: unknown) => (value as Uint8Array<ArrayBuffer>).buffer;

  function jobOf(prepare: (...args: never[]) => Prepared) {
    return class Job {
      ondone: ((error: Error | undefined, value?: unknown) => void) | undefined;
      readonly #sync: boolean;
      readonly #prepared: Prepared;
      constructor(mode: number, ...args: unknown[]) {
        this.#sync = mode === 1;
        this.#prepared = Reflect.apply(prepare, undefined, args);
      }
      run() {
        const [operation, args, finish] = this.#prepared;
        if (!this.#sync) {
          jobs.start(operation, args, (error, value) =>
            this.ondone?.(error, error === undefined ? finish(value) : undefined),
          );
          return undefined;
        }
        try {
          return [undefined, finish(call(operation, ...args))];
        } catch (error) {
          return [error, undefined];
        }
      }
    };
  }

  function pairOf(encoding: readonly unknown[]) {
    const [publicFormat, publicType, ...ofPrivate] = encoding;
    const exported = (packed: PackedKey, format?: unknown, ...rest: unknown[]) => {
      const handle = new KeyObjectHandle().hold(packed);
      if (format === undefined || format === null) return handle;
      return format === 2 ? handle.exportJwk({}) : handle.export(format, ...rest);
    };
    return (pair: unknown) => {
      const [publicKey, privateKey] = Array.isArray(pair) ? pair : [];
      return [exported(publicKey, publicFormat, publicType), exported(privateKey, ...ofPrivate)];
    };
  }
  const pairJob = (type: string, options: object, encoding: readonly unknown[]): Prepared => [
    'crypto.generateKeyPair',
    [type, options],
    pairOf(encoding),
  ];
  const nids: Record<number, string> = { 1: 'ed25519', 2: 'ed448', 3: 'x25519', 4: 'x448' };
  const given = (options: object) =>
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== -1));

  return {
    RandomBytesJob: jobOf((view: ArrayBufferView | ArrayBuffer, offset: number, size: number) => {
      const into = ArrayBuffer.isView(view)
        ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
        : new Uint8Array(view);
      return ['crypto.randomBytes', [size], (bytes) => into.set(bytes as Uint8Array, offset)];
    }),
    PBKDF2Job: jobOf((password, salt, iterations, length, digest) => [
      'crypto.pbkdf2',
      [...copies(password, salt), iterations, length, digest],
      buffer,
    ]),
    ScryptJob: jobOf((password, salt, N, r, p, maxmem, length) => [
      'crypto.scrypt',
      [...copies(password, salt), N, r, p, maxmem, length],
      buffer,
    ]),
    HKDFJob: jobOf((hash, key, salt, info, length) => {
      checkDigest(scope, hash);
      if (length > 255 * hashSize(call, hash)) {
        throw Object.assign(new RangeError('Invalid key length'), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
      }
      const handle = handleOf(key) ?? key;
      return ['crypto.hkdf', [hash, argumentOf(handle), ...copies(salt, info), length], buffer];
    }),
    RandomPrimeJob: jobOf(
      (size, safe, add: ArrayBufferView | undefined, rem: ArrayBufferView | undefined) => [
        'crypto.generatePrime',
        [size, safe, add && exactBytes(add), rem && exactBytes(rem)],
        buffer,
      ],
    ),
    CheckPrimeJob: jobOf((candidate, checks) => [
      'crypto.checkPrime',
      [...copies(candidate), checks],
      (value) => value,
    ]),
    SignJob: jobOf(
      (mode, data, format, type, passphrase, message, algorithm, salt, padding, encoding, signature) => {
        const key = argumentOf(data, format, type, passphrase);
        const [bytes] = copies(message);
        if (mode === 0) return ['crypto.sign', [algorithm, [bytes], key, padding, salt, encoding], buffer];
        return [
          'crypto.verify',
          [algorithm, [bytes], key, ...copies(signature), padding, salt, encoding],
          (value) => value,
        ];
      },
    ),
    SecretKeyGenJob: jobOf((bits: number) => [
      'crypto.randomBytes',
      [Math.floor(bits / 8)],
      (bytes) => new KeyObjectHandle().hold(['secret', new Uint8Array(buffer(bytes)), undefined, {}]),
    ]),
    RsaKeyPairGenJob: jobOf(
      (variant: number, modulusLength: number, publicExponent: number, ...rest: unknown[]) => {
        if (variant !== 1) return pairJob('rsa', { modulusLength, publicExponent }, rest);
        const [hashAlgorithm, mgf1HashAlgorithm, saltLength, ...encoding] = rest;
        return pairJob(
          'rsa-pss',
          given({ modulusLength, publicExponent, hashAlgorithm, mgf1HashAlgorithm, saltLength }),
          encoding,
        );
      },
    ),
    DsaKeyPairGenJob: jobOf((modulusLength: number, divisorLength: number, ...encoding: unknown[]) =>
      pairJob('dsa', given({ modulusLength, divisorLength }), encoding),
    ),
    EcKeyPairGenJob: jobOf((namedCurve: string, parameters: number, ...encoding: unknown[]) =>
      pairJob('ec', { namedCurve, paramEncoding: parameters === 1 ? 'named' : 'explicit' }, encoding),
    ),
    NidKeyPairGenJob: jobOf((id: number, ...encoding: unknown[]) => pairJob(nids[id] ?? '', {}, encoding)),
    DhKeyPairGenJob: jobOf((prime: unknown, ...rest: unknown[]) => {
      if (typeof prime === 'string') return pairJob('dh', { group: prime }, rest);
      const [generator, ...encoding] = rest;
      const size = typeof prime === 'number' ? { primeLength: prime } : { prime: exactBytes(prime) };
      return pairJob('dh', { ...size, generator }, encoding);
    }),
    EVP_PKEY_ED25519: 1,
    EVP_PKEY_ED448: 2,
    EVP_PKEY_X25519: 3,
    EVP_PKEY_X448: 4,
    OPENSSL_EC_NAMED_CURVE: 1,
    OPENSSL_EC_EXPLICIT_CURVE: 0,
    kCryptoJobAsync: 0,
    kCryptoJobSync: 1,
    kKeyVariantRSA_SSA_PKCS1_v1_5: 0,
    kKeyVariantRSA_PSS: 1,
    kKeyVariantRSA_OAEP: 2,
    kSignJobModeSign: 0,
    kSignJobModeVerify: 1,
    kSigEncDER: 0,
    kSigEncP1363: 1,
  };
}

/** What Node.js 16 says before it starts the work. */
export function checkDigest({ call, load }: Scope, name: unknown): void {
  if (call('crypto.isHash', name) === true) return;
  throw new (load('internal/errors').codes.ERR_CRYPTO_INVALID_DIGEST)(name);
}

/** Of a hash, in bytes. */
export function hashSize(call: CallHost, name: unknown): number {
  return call('crypto.hash', name, []).length;
}
