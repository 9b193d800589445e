import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'grows strings',
  target: 'memory',
  code: `
    module.exports = () => {
      let text = 'x';
      for (;;) text = [...(text + text).slice(0, 1e7)].join('');
    };`,
  expectation: isStopped,
};
