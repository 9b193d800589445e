import { generatePrimeSync } from 'node:crypto';

import { expect } from 'chai';

import { primeOptions } from './prime-options.ts';

const bytesOf = (value: number | bigint) => {
  const hex = value.toString(16);
  return Uint8Array.from(Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'));
};

const named = (value: number | bigint) =>
  value < 2n ** 32n ? `${value}` : `about 2 ** ${value.toString(2).length - 1}`;

describe('the options of generatePrime', () => {
  const found: [bits: number, safe: boolean, add: number | bigint, rem?: number | bigint][] = [
    [3, false, 4, 3],
    [5, true, 12, 11],
    [16, false, 2, 1],
    [32, true, 12, 11],
    [64, true, 24, 23],
    [64, true, 8],
    [64, false, 2n ** 40n],
    [128, false, 1_000_003, 17],
    [256, false, 12, 7],
  ];
  for (const [bits, safe, add, rem] of found) {
    it(`are taken where primes are found: ${bits} bits, safe: ${safe}, ${rem} modulo ${named(add)}`, () => {
      const options = primeOptions(bits, safe, bytesOf(add), rem === undefined ? undefined : bytesOf(rem));
      const prime = BigInt(
        `0x${Buffer.from(generatePrimeSync(bits, options as never) as never).toString('hex')}`,
      );
      expect(prime % BigInt(add)).to.equal(BigInt(rem ?? (safe ? 3 : 1)) % BigInt(add));
    });
  }

  const never: typeof found = [
    [64, false, 4, 2],
    [64, false, 12, 9],
    [64, true, 4, 1],
    [64, true, 12, 7],
    [64, false, 2n ** 63n, 1],
    [64, false, 2n ** 60n, 1],
    [64, true, 2n ** 50n, 3],
    [8, false, 128, 1],
    [8, false, 200, 8],
    [6, true, 60, 1],
    [2048, false, 2n ** 2040n, 1],
  ];
  for (const [bits, safe, add, rem] of never) {
    it(`are refused where none or hardly any are: ${bits} bits, safe: ${safe}, ${rem} modulo ${named(add)}`, () => {
      const refused = () => primeOptions(bits, safe, bytesOf(add), rem && bytesOf(rem));
      expect(refused).to.throw('there are no primes, or too few');
    });
  }

  it('leave to OpenSSL what it refuses, and are none for others', () => {
    expect(() =>
      generatePrimeSync(8, primeOptions(8, false, bytesOf(2n ** 20n), bytesOf(2)) as never),
    ).to.throw();
    expect(primeOptions(8, false, undefined, bytesOf(2))).to.deep.equal({ safe: false });
  });
});
