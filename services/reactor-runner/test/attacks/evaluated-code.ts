import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'evaluates code in every way that there is',
  target: 'host',
  code: `
    module.exports = () => [
      (0, eval)('this'),
      new Function('return this')(),
      (function () { return this; })(),
      Reflect.construct(Function, ['return this'])(),
    ].map((world) => world === globalThis);`,
  expectation: { returns: [true, true, true, true] },
};
