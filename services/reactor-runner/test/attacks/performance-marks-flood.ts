import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'sets marks of performance without end',
  target: 'memory',
  code: `
    module.exports = () => {
      for (let n = 0; ; n += 1) performance.mark('mark ' + n, { detail: [n, n, n, n] });
    };`,
  expectation: isStopped,
};
