import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces what looks names up before it requires them',
  target: 'host',
  code: `
    Array.prototype.includes = () => true;
    Array.prototype.indexOf = () => 0;
    String.prototype.startsWith = () => true;
    String.prototype.slice = () => 'fs';
    module.exports = () => ['fs', 'internal/options', 'internal/process/task_queues', 'vm', 'net'].filter((name) => {
      try {
        return require(name) !== undefined;
      } catch {
        return false;
      }
    });`,
  expectation: { returns: [] },
};
