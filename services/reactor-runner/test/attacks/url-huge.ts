import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'parses a URL of a hundred megabytes',
  target: 'memory',
  code: `
    module.exports = () => new URL('http://host/' + 'ü'.repeat(1e8)).href.length;`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
