import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'forges the stack of what it throws',
  target: 'reader',
  code: `
    module.exports = () => {
      throw Object.assign(new Error('forged'), { stack: 'at secret (/etc/passwd:1:1)\\n at x (main.js:9:9)' });
    };`,
  expectation: { fails: /^Error: forged \(main\.js:9:9\)$/ },
};
