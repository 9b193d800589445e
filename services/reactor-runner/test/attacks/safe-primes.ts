import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'looks for large safe primes',
  target: 'time',
  code: `
    const { generatePrimeSync } = require('crypto');
    module.exports = () => {
      for (;;) generatePrimeSync(2048, { safe: true });
    };`,
  expectation: isStopped,
};
