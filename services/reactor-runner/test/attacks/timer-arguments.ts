import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "hands strange delays to the host's timer",
  target: 'host',
  code: `
    module.exports = () => {
      const delays = [Infinity, -Infinity, NaN, 2 ** 31, 2 ** 53, -1, '1e9', 1n << 1n ? 0 : 0, {}, [], null, undefined, true, { valueOf: () => 2 ** 40 }];
      for (const delay of delays) {
        setTimeout(() => {}, delay);
        clearInterval(setInterval(() => {}, delay));
      }
      return new Promise((resolve) => setTimeout(resolve, 1, 'armed'));
    };`,
  expectation: { returns: 'armed' },
};
