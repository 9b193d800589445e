import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'leaves a rejection behind that is a proxy whose traps loop',
  target: 'time',
  code: `
    const loop = () => {
      for (;;);
    };
    module.exports = () => {
      Promise.reject(new Proxy(new Error('slow'), { get: loop, getPrototypeOf: loop, getOwnPropertyDescriptor: loop }));
      return 1;
    };`,
  expectation: timesOut,
};
