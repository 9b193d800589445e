import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'parses JSON of millions of values',
  target: 'time',
  code: `
    module.exports = () => JSON.parse('[' + '[],'.repeat(3e7) + '0]').length;`,
  expectation: isStopped,
};
