import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'leaves a thousand rejections behind',
  target: 'reader',
  code: `
    module.exports = () => {
      for (let i = 0; i < 1000; i += 1) Promise.reject(i % 2 ? null : new Error('left'));
      return 1;
    };`,
  expectation: { returns: 1 },
};
