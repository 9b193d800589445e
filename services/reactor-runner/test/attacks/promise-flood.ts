import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'keeps promises that never settle',
  target: 'memory',
  code: `
    module.exports = async () => {
      const all = [];
      for (;;) all.push(new Promise(() => {}).then(() => {}));
    };`,
  expectation: isStopped,
};
