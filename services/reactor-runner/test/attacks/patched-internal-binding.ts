import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces Reflect.apply to get at internalBinding, and calls what is there',
  target: 'host',
  code: `
    let internalBinding = () => {
      throw new Error('nothing was met');
    };
    const real = Reflect.apply;
    Reflect.apply = (target, self, args) => {
      if (args.length === 6 && typeof args[4] === 'function') internalBinding = args[4];
      return real(target, self, args);
    };
    module.exports = () => {
      require('crypto');
      const reached = [];
      for (const name of ['fs_dir', 'process_wrap', 'spawn_sync', 'udp_wrap', 'tty_wrap', 'worker', 'inspector', 'contextify', 'natives', 'module_wrap', 'v8', 'serdes', 'report', 'wasi']) {
        try {
          if (Reflect.ownKeys(internalBinding(name)).length > 0) reached.push(name);
        } catch {
          // It is not there.
        }
      }
      return reached;
    };`,
  expectation: { returns: [] },
};
