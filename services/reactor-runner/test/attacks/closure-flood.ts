import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'sets timers until there is no room for them',
  target: 'memory',
  code: `
    module.exports = () => {
      for (let i = 0; ; i += 1) setTimeout(() => i, 1e6);
    };`,
  expectation: isStopped,
};
