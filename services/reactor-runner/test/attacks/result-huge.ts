import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns four hundred megabytes',
  target: 'memory',
  code: `
    module.exports = () => 'x'.repeat(4e8);`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /too large|Invalid string length/ },
};
