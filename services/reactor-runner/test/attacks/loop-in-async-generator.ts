import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in an async generator',
  target: 'time',
  code: `
    async function* numbers() {
      for (let n = 0; ; n += 1) yield n;
    }
    module.exports = async () => {
      for await (const n of numbers()) if (n < 0) return n;
    };`,
  expectation: timesOut,
};
