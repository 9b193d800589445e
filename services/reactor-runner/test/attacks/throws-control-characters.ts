import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws a message that forges lines of a log',
  target: 'reader',
  code: `
    module.exports = () => {
      throw new Error('a\\u0000\\r\\n\\u001b[31m{"level":"fatal"}');
    };`,
  expectation: { fails: /^Error: a[^{]+\[31m\{"level":"fatal"\}/ },
};
