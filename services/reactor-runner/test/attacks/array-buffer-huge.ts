import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks for one array buffer of a gigabyte',
  target: 'memory',
  code: `
    module.exports = () => new ArrayBuffer(1e9).byteLength;`,
  expectation: { fails: /^RangeError: Array buffer allocation failed/ },
};
