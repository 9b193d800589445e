import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'measures time finely',
  target: 'host',
  code: `
    module.exports = () => {
      const samples = [];
      for (let i = 0; i < 1000; i += 1) {
        samples.push(process.hrtime.bigint(), BigInt(process.hrtime()[1]), BigInt(Math.round(performance.now() * 1000)) * 1000n);
      }
      return samples.every((sample) => sample % 1_000_000n === 0n);
    };`,
  expectation: { returns: true },
};
