import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns a thenable that settles again and again',
  target: 'reader',
  code: `
    module.exports = () => ({
      then(resolve, reject) {
        resolve('first');
        resolve('second');
        reject(new Error('third'));
        throw new Error('fourth');
      },
    });`,
  expectation: { returns: 'first' },
};
