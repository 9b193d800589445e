import crypto, { type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import { BadOperation, type Operations, bytes, exact, integer, oneOf, text } from './arguments.ts';
import { heldKey, packed } from './crypto-keys.ts';
import { cryptoOperations } from './crypto-operations.ts';
import type { Job, JobTable } from './jobs.ts';
import { primeOptions } from './prime-options.ts';
import type { WorkQueue } from './work-queue.ts';

const maxRandomBytes = 16 * 1024 * 1024;
/** Of a hash, in one derivation: a second or two of one core. */
const maxIterations = 5_000_000;
const maxDerivedBytes = 1024 * 1024;
const maxScryptMemory = 128 * 1024 * 1024;
const maxScryptWork = 2 ** 24;
const maxRsaBits = 4096;
const maxPrimeBits = 2048;

/** Each in a form for now and, where libuv's threads can do it, one for later. */
interface Derivation {
  readonly now: (...args: unknown[]) => unknown;
  readonly later: (...args: unknown[]) => Promise<unknown>;
}

const pbkdf2 = promisify(crypto.pbkdf2);
const hkdf = promisify(crypto.hkdf);
const randomBytes = promisify(crypto.randomBytes);
const scrypt = promisify<Uint8Array, Uint8Array, number, crypto.ScryptOptions, Buffer>(crypto.scrypt);
const generateKeyPair = promisify(crypto.generateKeyPair);
const generatePrime = promisify<number, crypto.GeneratePrimeOptionsArrayBuffer, ArrayBuffer>(
  crypto.generatePrime,
);
const checkPrime = promisify<Uint8Array, crypto.CheckPrimeOptions, boolean>(crypto.checkPrime);

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const derivations: Readonly<Record<string, Derivation>> = {
  randomBytes: derivation(
    (size) => [integer(size, 0, maxRandomBytes)] as const,
    (size) => exact(crypto.randomBytes(size)),
    async (size) => exact(await randomBytes(size)),
  ),
  pbkdf2: derivation(
    pbkdf2Arguments,
    (...args) => exact(crypto.pbkdf2Sync(...args)),
    async (...args) => exact(await pbkdf2(...args)),
  ),
  scrypt: derivation(
    scryptArguments,
    (...args) => exact(crypto.scryptSync(...args)),
    async (...args) => exact(await scrypt(...args)),
  ),
  hkdf: derivation(
    (hash, key, salt, info, length) =>
      [text(hash, 100), hmacKey(key), bytes(salt), bytes(info), integer(length, 0, maxDerivedBytes)] as const,
    (...args) => new Uint8Array(crypto.hkdfSync(...args)),
    async (...args) => new Uint8Array(await hkdf(...args)),
  ),
  generateKeyPair: derivation(
    keyPairArguments,
    (...args) => pairOf(Reflect.apply(crypto.generateKeyPairSync, undefined, args)),
    async (...args) => pairOf(await Reflect.apply(generateKeyPair, undefined, args)),
  ),
  generatePrime: derivation(
    primeArguments,
    (size, options) => new Uint8Array(crypto.generatePrimeSync(size, options)),
    async (size, options) => new Uint8Array(await generatePrime(size, options)),
  ),
  checkPrime: derivation(
    (candidate, checks) => [bytes(candidate, maxPrimeBits), { checks: integer(checks, 0, 1000) }] as const,
    (candidate, options) => crypto.checkPrimeSync(candidate, options),
    (candidate, options) => checkPrime(candidate, options),
  ),
};

function derivation<Args extends unknown[]>(
  check: (...args: unknown[]) => readonly [...Args],
  now: (...args: Args) => unknown,
  later: (...args: Args) => Promise<unknown>,
): Derivation {
  return { now: (...args) => now(...check(...args)), later: async (...args) => later(...check(...args)) };
}

export const cryptoNow: Operations = Object.fromEntries(
  Object.entries(derivations).map(([name, { now }]) => [`crypto.${name}`, now]),
);

/** What is done later, with the signatures, which are quick. */
export function cryptoLater(queue: WorkQueue): JobTable {
  const { 'crypto.sign': sign, 'crypto.verify': verify } = cryptoOperations();
  return {
    ...Object.fromEntries(
      Object.entries(derivations).map(([name, { later }]): [string, Job] => [
        `crypto.${name}`,
        (...args) => queue.do(() => later(...args)),
      ]),
    ),
    'crypto.sign': async (...args) => sign?.(...args),
    'crypto.verify': async (...args) => verify?.(...args),
  };
}

function pbkdf2Arguments(
  password: unknown,
  salt: unknown,
  iterations: unknown,
  length: unknown,
  digest: unknown,
) {
  const wanted = integer(length, 0, maxDerivedBytes);
  const count = integer(iterations, 1, 2 ** 31);
  if (count * Math.ceil(wanted / 20) > maxIterations)
    throw new BadOperation(`pbkdf2 is limited to ${maxIterations} iterations`);
  return [bytes(password), bytes(salt), count, wanted, text(digest, 100)] as const;
}

function scryptArguments(
  password: unknown,
  salt: unknown,
  N: unknown,
  r: unknown,
  p: unknown,
  maxmem: unknown,
  length: unknown,
) {
  const cost = { N: integer(N, 1, 2 ** 31), r: integer(r, 1, 2 ** 31), p: integer(p, 1, 2 ** 31) };
  if (cost.N * cost.r * cost.p > maxScryptWork)
    throw new BadOperation(`scrypt is limited to N * r * p = ${maxScryptWork}`);
  const options = { ...cost, maxmem: Math.min(Number(maxmem), maxScryptMemory) };
  return [bytes(password), bytes(salt), integer(length, 0, maxDerivedBytes), options] as const;
}

function hmacKey(key: unknown): KeyObject | Uint8Array {
  return heldKey(key) ?? bytes(key);
}

function primeArguments(size: unknown, safe: unknown, add: unknown, rem: unknown) {
  const bits = integer(size, 1, maxPrimeBits);
  return [bits, primeOptions(bits, safe, add, rem)] as const;
}

const keyTypes = ['rsa', 'rsa-pss', 'ec', 'dsa', 'dh', 'ed25519', 'ed448', 'x25519', 'x448'] as const;

function keyPairArguments(type: unknown, options: unknown): readonly [string, object] {
  const given: Record<string, unknown> = { ...Object(options) };
  if (given['modulusLength'] !== undefined) integer(given['modulusLength'], 0, maxRsaBits);
  if (given['primeLength'] !== undefined) integer(given['primeLength'], 0, maxPrimeBits);
  const known = [
    'modulusLength',
    'publicExponent',
    'hashAlgorithm',
    'mgf1HashAlgorithm',
    'saltLength',
    'namedCurve',
    'paramEncoding',
    'divisorLength',
    'primeLength',
    'prime',
    'generator',
    'group',
  ];
  const taken = Object.fromEntries(
    known.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
  return [oneOf(type, keyTypes), taken];
}

function pairOf({ publicKey, privateKey }: Pair): unknown[] {
  return [packed(publicKey), packed(privateKey)];
}
