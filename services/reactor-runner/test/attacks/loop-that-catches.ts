import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'catches its own end',
  target: 'time',
  code: `
    module.exports = () => {
      for (;;) {
        try {
          for (;;);
        } catch {
          // Once more.
        } finally {
          continue;
        }
      }
    };`,
  expectation: timesOut,
};
