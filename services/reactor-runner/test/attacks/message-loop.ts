import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'sends messages to itself without end',
  target: 'time',
  code: `
    module.exports = () => new Promise(() => {
      const { port1, port2 } = new MessageChannel();
      port2.on('message', (message) => port1.postMessage(message));
      port1.postMessage(1);
    });`,
  expectation: timesOut,
};
