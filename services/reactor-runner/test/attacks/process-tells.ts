import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks its process about the machine',
  target: 'host',
  code: `
    module.exports = () => [
      Object.prototype.toString.call(process),
      process.version,
      process.env,
      process.execArgv,
      process.pid,
      process.ppid,
      process.cwd(),
    ];`,
  expectation: { returns: ['[object process]', 'v16.20.2', {}, [], 1, 0, '/'] },
};
