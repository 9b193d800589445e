import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces call, apply and bind before the host is called',
  target: 'host',
  code: `
    const seen = [];
    for (const name of ['call', 'apply', 'bind']) {
      const real = Function.prototype[name];
      Function.prototype[name] = function (...args) {
        seen.push(this, ...args);
        return Reflect.apply(real, this, args);
      };
    }
    module.exports = () => {
      require('crypto').randomBytes(8);
      const foreign = seen.filter((value) => typeof value === 'function' && value.constructor('return this')() !== globalThis);
      return foreign.length === 0 ? 'own' : String(foreign[0]);
    };`,
  expectation: { returns: 'own' },
};
