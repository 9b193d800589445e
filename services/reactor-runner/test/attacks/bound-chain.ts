import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'binds a function without end',
  target: 'memory',
  code: `
    module.exports = () => {
      let f = () => 1;
      for (;;) f = f.bind(null, f);
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError/ },
};
