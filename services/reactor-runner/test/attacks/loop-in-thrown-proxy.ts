import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'throws a proxy whose every trap loops',
  target: 'time',
  code: `
    const loop = () => {
      for (;;);
    };
    module.exports = () => {
      throw new Proxy({}, { get: loop, getPrototypeOf: loop, has: loop });
    };`,
  expectation: timesOut,
};
