import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'has threads of the host look for primes that do not exist, and returns',
  target: 'time',
  code: `
    const { generatePrime, generatePrimeSync } = require('crypto');
    module.exports = () => {
      const told = new Set();
      for (const options of [{ add: 4n, rem: 2n }, { add: 2n ** 63n, rem: 1n }, { safe: true, add: 12n, rem: 7n }]) {
        try { generatePrime(64, options, () => {}); } catch ({ message }) { told.add(message); }
        try { generatePrimeSync(64, options); } catch ({ message }) { told.add(message); }
      }
      return [...told];
    };`,
  expectation: { returns: ['there are no primes, or too few, with these options.add and options.rem'] },
};
