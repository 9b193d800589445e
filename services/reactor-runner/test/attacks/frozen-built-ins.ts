import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "freezes all built-ins before Node's library is loaded",
  target: 'host',
  code: `
    for (const name of Reflect.ownKeys(globalThis)) {
      const { value } = Reflect.getOwnPropertyDescriptor(globalThis, name);
      if (typeof value !== 'function' && typeof value !== 'object') continue;
      Object.freeze(value);
      if (value && value.prototype) Object.freeze(value.prototype);
    }
    module.exports = async () => {
      await null;
      return ['a' + 'b', [1, 2, 3].length];
    };`,
  expectation: { returns: ['ab', 3] },
};
