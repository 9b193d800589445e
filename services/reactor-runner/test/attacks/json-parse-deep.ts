import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'parses JSON that is nested without end',
  target: 'time',
  code: `
    module.exports = () => JSON.parse('['.repeat(2e7));`,
  expectation: isStopped,
};
