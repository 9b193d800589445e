import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'keeps what settles a call to settle the next one',
  target: 'reader',
  code: `
    let settleEarlier = () => {};
    module.exports = () => new Promise((resolve) => {
      settleEarlier('of an earlier call');
      settleEarlier = resolve;
      setTimeout(() => resolve('of this call'), 1);
    });`,
  expectation: { returns: 'of this call' },
};
