import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces every method of the built-ins',
  target: 'host',
  code: `
    const { ownKeys } = Reflect;
    const broken = () => {
      throw 'broken';
    };
    const victims = [JSON, Promise, Promise.prototype, Map.prototype, Set.prototype, Array.prototype, String.prototype, Number.prototype, Object, Reflect, Symbol, Function.prototype];
    for (let i = 0; i < victims.length; i += 1) {
      const keys = ownKeys(victims[i]);
      for (let k = 0; k < keys.length; k += 1) {
        try {
          if (keys[k] !== 'constructor' && typeof victims[i][keys[k]] === 'function') victims[i][keys[k]] = broken;
        } catch {}
      }
    }
    Object.prototype.toJSON = () => 'x';
    module.exports = async () => ({ a: 1 });`,
  expectation: { returns: 'x' },
};
