import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'calls itself twice in a finally',
  target: 'time',
  code: `
    const f = () => {
      try {
        f();
      } finally {
        f();
      }
    };
    module.exports = f;`,
  expectation: isStopped,
};
