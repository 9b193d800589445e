import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "keeps Node's buffers",
  target: 'memory',
  code: `
    module.exports = () => {
      const all = [];
      for (;;) all.push(Buffer.allocUnsafe(1e6).fill('x'));
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError/ },
};
