import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'joins one buffer a million times',
  target: 'memory',
  code: `
    module.exports = () => Buffer.concat(new Array(1e5).fill(Buffer.alloc(1e5))).length;`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError/ },
};
