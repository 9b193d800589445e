import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "overflows the stack where Node's globals are made",
  target: 'host',
  code: `
    module.exports = () => {
      const f = () => {
        f();
        Buffer.from('a');
      };
      const g = () => {
        try {
          g();
        } catch {
          process.version;
        }
      };
      try {
        f();
      } catch (error) {
        return error.name;
      }
    };`,
  expectation: { returns: 'RangeError' },
};
