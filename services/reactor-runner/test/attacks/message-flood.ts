import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'sends messages that nobody takes',
  target: 'memory',
  code: `
    module.exports = () => {
      const { port1 } = new MessageChannel();
      const message = Array.from({ length: 1000 }, (_, n) => ({ n }));
      for (;;) port1.postMessage(message);
    };`,
  expectation: isStopped,
};
