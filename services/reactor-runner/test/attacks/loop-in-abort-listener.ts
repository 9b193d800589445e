import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in the listener of an abort',
  target: 'time',
  code: `
    module.exports = () => {
      const controller = new AbortController();
      controller.signal.addEventListener('abort', () => {
        for (;;);
      });
      controller.abort();
    };`,
  expectation: timesOut,
};
