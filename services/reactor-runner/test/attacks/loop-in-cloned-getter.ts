import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'loops in a getter of a message',
  target: 'time',
  code: `
    module.exports = () => {
      const { port1 } = new MessageChannel();
      port1.postMessage({ get value() { for (;;); } });
    };`,
  expectation: timesOut,
};
