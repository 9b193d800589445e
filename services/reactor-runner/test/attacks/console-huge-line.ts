import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'writes a line of a hundred megabytes to its console',
  target: 'memory',
  code: `
    module.exports = () => {
      for (;;) console.log('x'.repeat(1e8));
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
