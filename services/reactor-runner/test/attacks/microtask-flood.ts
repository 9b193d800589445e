import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'floods the microtask queue',
  target: 'time',
  code: `
    module.exports = () => {
      const f = () => Promise.resolve().then(f);
      f();
    };`,
  expectation: isStopped,
};
