import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'leaves the host no stack to see its errors',
  target: 'host',
  code: `
    const { createHash, pbkdf2Sync } = require('crypto');
    module.exports = () => {
      const stacks = new Set();
      let attempts = 0;
      const f = () => {
        try {
          f();
        } catch (error) {
          attempts += 1;
          if (attempts > 300) throw error;
          for (const attempt of [
            () => createHash('sha256').update('a').digest(),
            () => pbkdf2Sync('a', 'b', 1, 1, 'sha1'),
            () => new URL('http://host'),
            () => setTimeout(() => {}, 1),
          ]) {
            try {
              attempt();
            } catch (inner) {
              stacks.add(String(inner.stack));
            }
          }
          throw error;
        }
      };
      try {
        f();
      } catch {
        // There was no more stack.
      }
      const shown = [...stacks].filter((stack) => /file:|\\/src\\/|\\/dist\\/|node_modules|\\.ts|worker/.test(stack));
      return stacks.size > 0 ? shown.slice(0, 3) : ['no error'];
    };`,
  expectation: { returns: [] },
};
