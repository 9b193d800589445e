import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'has the host make a Diffie-Hellman group',
  target: 'time',
  code: `
    const { createDiffieHellman } = require('crypto');
    module.exports = () => {
      for (;;) createDiffieHellman(2048);
    };`,
  expectation: isStopped,
};
