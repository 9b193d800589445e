import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in a listener of its own process',
  target: 'time',
  code: `
    process.on('uncaughtException', () => {
      for (;;);
    });
    module.exports = () => new Promise(() => {
      setTimeout(() => {
        throw new Error('uncaught');
      }, 1);
    });`,
  expectation: timesOut,
};
