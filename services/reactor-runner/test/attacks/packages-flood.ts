import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'requires all packages at once',
  target: 'memory',
  code: `
    module.exports = () => {
      const names = [];
      try {
        require('nothing');
      } catch ({ message }) {
        names.push(...message.split('packages: ')[1].replace(/\\.$/, '').split(', '));
      }
      const all = names.map((name) => require(name));
      for (;;) all.push(...all);
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
