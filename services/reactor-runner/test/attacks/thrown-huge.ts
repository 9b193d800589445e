import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws an error of ten megabytes',
  target: 'memory',
  code: `
    module.exports = () => {
      throw Object.assign(new Error('x'.repeat(1e7)), { status: 'x'.repeat(1e7), stack: 'y'.repeat(1e7) });
    };`,
  expectation: { fails: /^Error: x{1900}/ },
};
