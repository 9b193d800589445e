import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'never settles',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {});`,
  expectation: timesOut,
};
