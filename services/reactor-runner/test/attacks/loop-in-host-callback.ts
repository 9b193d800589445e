import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: "loops in the callback of the host's own work",
  target: 'time',
  code: `
    const { pbkdf2 } = require('crypto');
    module.exports = () => new Promise(() => {
      pbkdf2('password', 'salt', 1, 16, 'sha1', () => {
        for (;;);
      });
    });`,
  expectation: timesOut,
};
