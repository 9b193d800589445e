import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'floods a weak map',
  target: 'memory',
  code: `
    module.exports = () => {
      const map = new WeakMap();
      const keys = [];
      for (;;) {
        keys.push({});
        map.set(keys[keys.length - 1], new Array(10));
      }
    };`,
  expectation: isStopped,
};
