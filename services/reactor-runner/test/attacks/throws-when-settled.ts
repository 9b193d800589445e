import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws after it has settled',
  target: 'reader',
  code: `
    module.exports = async () => {
      setTimeout(() => {
        throw new Error('late');
      }, 0);
      setImmediate(() => {
        throw new Error('later');
      });
      Promise.reject(new Error('latest'));
      return 'settled';
    };`,
  expectation: { returns: 'settled' },
};
