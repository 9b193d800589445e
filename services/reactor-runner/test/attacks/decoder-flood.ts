import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'opens text decoders without end',
  target: 'memory',
  code: `
    module.exports = () => {
      const all = [];
      for (;;) {
        const decoder = new TextDecoder('gb18030');
        decoder.decode(Buffer.from([0x81]), { stream: true });
        all.push(decoder);
      }
    };`,
  expectation: isStopped,
};
