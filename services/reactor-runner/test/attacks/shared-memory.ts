import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'looks for WebAssembly, shared memory and other threads',
  target: 'host',
  code: `
    const names = ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'Worker', 'BroadcastChannel', 'structuredClone', 'fetch', 'WebSocket', 'gc', 'd8', 'ivm', '$0', '$1', '$2'];
    module.exports = () => names.filter((name) => eval('typeof ' + name) !== 'undefined' || name in globalThis);`,
  expectation: { returns: [] },
};
