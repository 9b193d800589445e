import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'throws an error whose stack loops',
  target: 'time',
  code: `
    module.exports = () => {
      throw Object.defineProperty(new Error('slow'), 'stack', {
        get() {
          for (;;);
        },
      });
    };`,
  expectation: timesOut,
};
