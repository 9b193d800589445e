import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'makes array buffers that grow beyond what is counted',
  target: 'memory',
  code: `
    class Derived extends ArrayBuffer {}
    module.exports = () => {
      const constructors = [
        ArrayBuffer,
        Derived,
        ArrayBuffer[Symbol.species],
        new Uint8Array(1).buffer.constructor,
        Buffer.from('a').buffer.constructor,
      ];
      return constructors.map((Constructor) => {
        const buffer = Reflect.construct(Constructor, [8, { maxByteLength: 2 ** 32 }]);
        try {
          buffer.resize(2 ** 31);
        } catch {
          // It can't.
        }
        return buffer.byteLength;
      });
    };`,
  expectation: { returns: [8, 8, 8, 8, 8] },
};
