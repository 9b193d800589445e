import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'registers symbols without end',
  target: 'memory',
  code: `
    module.exports = () => {
      for (let i = 0; ; i += 1) Symbol.for('symbol' + i);
    };`,
  expectation: isStopped,
};
