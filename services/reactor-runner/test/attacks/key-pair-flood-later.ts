import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'has the host make a thousand key pairs at once',
  target: 'time',
  code: `
    const { generateKeyPair } = require('crypto');
    module.exports = () => new Promise(() => {
      for (let i = 0; i < 1000; i += 1) generateKeyPair('rsa', { modulusLength: 4096 }, () => {});
    });`,
  expectation: isStopped,
};
