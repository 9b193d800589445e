import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'rejects with what the engine says of a disposed isolate',
  target: 'reader',
  code: `
    module.exports = () => {
      Promise.reject(new Error('Isolate was disposed during execution due to memory limit'));
      Promise.reject(new Error('Isolate is disposed'));
      return 1;
    };`,
  expectation: { returns: 1 },
};
