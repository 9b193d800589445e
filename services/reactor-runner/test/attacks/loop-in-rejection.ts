import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'leaves a rejection behind whose message loops',
  target: 'time',
  code: `
    module.exports = () => {
      const error = new Error('slow');
      for (const name of ['name', 'message', 'stack']) {
        Object.defineProperty(error, name, {
          get() {
            for (;;);
          },
        });
      }
      Promise.reject(error);
      return 1;
    };`,
  expectation: timesOut,
};
