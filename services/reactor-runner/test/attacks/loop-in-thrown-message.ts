import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'throws an error whose message loops',
  target: 'time',
  code: `
    module.exports = () => {
      throw {
        get message() {
          for (;;);
        },
      };
    };`,
  expectation: timesOut,
};
