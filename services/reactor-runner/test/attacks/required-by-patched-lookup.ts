import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces what looks names up before it requires them',
  target: 'host',
  code: `
    Array.prototype.includes = () => true;
    Array.prototype.indexOf = () => 0;
    Set.prototype.has = () => true;
    Map.prototype.has = () => true;
    Object.hasOwn = () => true;
    String.prototype.startsWith = () => true;
    module.exports = () => ['fs', 'internal/options', 'environment', 'internal/process/task_queues', 'vm', 'net'].filter((name) => {
      try {
        require(name);
        return true;
      } catch {
        return false;
      }
    });`,
  expectation: { returns: [] },
};
