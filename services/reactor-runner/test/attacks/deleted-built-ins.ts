import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'deletes all globals',
  target: 'host',
  code: `
    const world = globalThis;
    for (const name of Reflect.ownKeys(world)) delete world[name];
    module.exports = async () => ({ a: 1 });`,
  expectation: { returns: { a: 1 } },
};
