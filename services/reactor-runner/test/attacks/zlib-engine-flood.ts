import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'opens zlib engines without end',
  target: 'memory',
  code: `
    const { createDeflate } = require('zlib');
    module.exports = () => {
      const all = [];
      for (;;) all.push(createDeflate({ level: 9, memLevel: 9 }));
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError/ },
};
