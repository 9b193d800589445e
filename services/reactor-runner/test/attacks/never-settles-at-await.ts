import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'awaits what never settles',
  target: 'time',
  code: `
    module.exports = async () => {
      await { then() {} };
    };`,
  expectation: timesOut,
};
