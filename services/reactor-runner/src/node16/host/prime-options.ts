import type { GeneratePrimeOptionsArrayBuffer } from 'node:crypto';

import { BadOperation, bytes, exact, flag } from './arguments.ts';

/** Below, all numbers in question are looked at. */
const fewBits = 20;
/** How many primes there should be among them, by far more than it takes to find one. */
const enough = 64n;

/**
 * The options of `crypto.generatePrime`: a prime that is `rem` modulo `add` is looked for until there is one, on a thread
 * that nothing can stop. So there have to be some.
 * @throws BadOperation
 */
export function primeOptions(
  bits: number,
  safe: unknown,
  add: unknown,
  rem: unknown,
): GeneratePrimeOptionsArrayBuffer {
  const isSafe = flag(safe);
  if (add === undefined) return { safe: isSafe };
  const modulus = numberOf(add);
  // As OpenSSL has it.
  const rest = rem === undefined ? (isSafe ? 3n : 1n) : numberOf(rem);
  // It refuses these by itself.
  const isRefused = modulus === 0n || lengthOf(modulus) > bits;
  if (!isRefused && !areThereSome(bits, isSafe, modulus, rest % modulus)) {
    throw new BadOperation('there are no primes, or too few, with these options.add and options.rem');
  }
  return {
    safe: isSafe,
    add: exact(bytes(add)).buffer,
    ...(rem === undefined ? {} : { rem: exact(bytes(rem)).buffer }),
  };
}

function areThereSome(bits: number, isSafe: boolean, modulus: bigint, rest: bigint): boolean {
  if (bits <= fewBits) return isOneOf(bits, isSafe, Number(modulus), Number(rest));
  if (gcd(rest, modulus) !== 1n) return false;
  // With p, (p - 1) / 2 is prime as well: p is 3 modulo 4, and 1 modulo no odd prime.
  if (isSafe && modulus % 4n === 0n && rest % 4n !== 3n) return false;
  if (isSafe && gcd(rest - 1n, oddPartOf(modulus)) !== 1n) return false;
  // One number in 0.7 times its bits is prime.
  const sparse = BigInt(isSafe ? bits * bits : bits);
  return 2n ** BigInt(bits - lengthOf(modulus)) >= enough * sparse;
}

function isOneOf(bits: number, isSafe: boolean, modulus: number, rest: number): boolean {
  const first = 2 ** (bits - 1);
  for (let at = first - (first % modulus) + rest; at < 2 * first; at += modulus) {
    if (at >= first && isPrime(at) && (!isSafe || isPrime((at - 1) / 2))) return true;
  }
  return false;
}

function isPrime(value: number): boolean {
  if (value < 2) return false;
  for (let factor = 2; factor * factor <= value; factor += 1) if (value % factor === 0) return false;
  return true;
}

function gcd(a: bigint, b: bigint): bigint {
  let [one, other] = [a < 0n ? -a : a, b];
  while (other !== 0n) [one, other] = [other, one % other];
  return one;
}

function oddPartOf(value: bigint): bigint {
  let odd = value;
  while (odd % 2n === 0n) odd /= 2n;
  return odd;
}

const lengthOf = (value: bigint) => value.toString(2).length;

/** A larger one than any prime that is looked for is as good as the largest of them. */
function numberOf(value: unknown): bigint {
  const hex = Buffer.from(bytes(value, 4096)).toString('hex');
  return BigInt(`0x0${hex}`);
}
