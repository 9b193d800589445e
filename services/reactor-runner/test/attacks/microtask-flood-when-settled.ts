import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'floods the microtask queue once it has settled',
  target: 'time',
  code: `
    module.exports = async () => {
      const f = () => Promise.resolve().then(f);
      Promise.resolve().then(f);
      return 1;
    };`,
  expectation: isStopped,
};
