import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'requires what reaches files, sockets, processes and the engine',
  target: 'host',
  code: `
    const names = [
      'fs', 'node:fs', 'fs/promises', 'child_process', 'cluster', 'worker_threads', 'net', 'tls', 'dgram', 'dns', 'http2', 'vm', 'v8',
      'inspector', 'module', 'repl', 'readline', 'tty', 'wasi', 'async_hooks', 'perf_hooks', 'trace_events', 'domain', 'test', 'sqlite',
      'isolated-vm', 'internal/bootstrap/loaders', 'internal/options', 'environment', 'node:environment', 'internal/process/task_queues',
      './worker.ts', '../sandbox/worker/worker.ts', '/etc/passwd', 'file:///etc/passwd', '.', '..', '/', '', 'package.json', '__proto__', 'constructor',
      'toString', 'hasOwnProperty', 'node:', 'node:node:fs', 'fs\\0', ['fs'], { toString: () => 'fs' }, null, undefined, 0, Symbol.iterator,
    ];
    module.exports = () => names.filter((name) => {
      try {
        require(name);
        return true;
      } catch {
        return false;
      }
    });`,
  expectation: { returns: [] },
};
