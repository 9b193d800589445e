import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks the operating system about the machine',
  target: 'host',
  code: `
    const os = require('os');
    module.exports = () => [os.hostname(), os.networkInterfaces(), os.homedir(), os.userInfo().username, os.cpus().length];`,
  expectation: { returns: ['localhost', {}, '/', 'user', 1] },
};
