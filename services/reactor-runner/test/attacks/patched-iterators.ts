import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces the iterators that pass arguments to the host',
  target: 'host',
  code: `
    const bridges = [];
    const values = Array.prototype.values;
    Array.prototype[Symbol.iterator] = function () {
      for (let i = 0; i < this.length; i += 1) if (typeof this[i] === 'function') bridges.push(this[i]);
      return Reflect.apply(values, this, []);
    };
    module.exports = () => {
      const hash = require('crypto').createHash('sha256').update('stolen').digest('hex');
      const isOurs = bridges.every((f) => f.constructor('return this')() === globalThis);
      return isOurs ? hash.slice(0, 8) : 'foreign';
    };`,
  expectation: { returns: '823d95a9' },
};
