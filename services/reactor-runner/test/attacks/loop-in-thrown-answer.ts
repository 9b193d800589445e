import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'throws an error whose answer loops in JSON',
  target: 'time',
  code: `
    module.exports = () => {
      throw Object.assign(new Error('answers'), {
        status: 400,
        errors: {
          toJSON() {
            for (;;);
          },
        },
      });
    };`,
  expectation: timesOut,
};
