import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'rejects again in the listener of what is rejected',
  target: 'time',
  code: `
    module.exports = () => {
      process.on('unhandledRejection', (reason) => { Promise.reject(reason); });
      Promise.reject(new Error('first'));
      return new Promise(() => {});
    };`,
  expectation: timesOut,
};
