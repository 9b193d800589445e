import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'settles its promise again and again',
  target: 'reader',
  code: `
    module.exports = () => new Promise((resolve, reject) => {
      resolve('first');
      resolve('second');
      reject(new Error('third'));
      setTimeout(resolve, 1, 'fourth');
    });`,
  expectation: { returns: 'first' },
};
