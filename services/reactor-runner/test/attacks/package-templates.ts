import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'runs code by a package that makes code',
  target: 'host',
  code: `
    const { template } = require('lodash');
    module.exports = () => template('<% print(Function("return this")() === globalThis) %>')() === 'true';`,
  expectation: { returns: true },
};
