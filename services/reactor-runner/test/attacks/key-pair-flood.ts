import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'has the host make key pairs, one after the other',
  target: 'time',
  code: `
    const { generateKeyPairSync } = require('crypto');
    module.exports = () => {
      for (;;) generateKeyPairSync('rsa', { modulusLength: 4096 });
    };`,
  expectation: isStopped,
};
