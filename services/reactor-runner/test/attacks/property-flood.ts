import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'gives globalThis properties without end',
  target: 'memory',
  code: `
    module.exports = () => {
      for (let i = 0; ; i += 1) globalThis['property' + i] = i;
    };`,
  expectation: isStopped,
};
