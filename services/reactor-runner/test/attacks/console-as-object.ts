import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'writes a thing to its console whose words are endless',
  target: 'memory',
  code: `
    module.exports = () => {
      let shared = ['x'.repeat(100)];
      for (let i = 0; i < 40; i += 1) shared = [shared, shared];
      for (;;) console.dir(shared, { depth: 40, maxArrayLength: Infinity, maxStringLength: Infinity });
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
