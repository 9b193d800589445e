import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks what callbacks are called with for its global object',
  target: 'host',
  code: `
    const crypto = require('crypto');
    const zlib = require('zlib');
    module.exports = async () => {
      const given = await Promise.all([
        new Promise((resolve) => crypto.randomBytes(8, (...all) => resolve(all))),
        new Promise((resolve) => zlib.gzip('text', (...all) => resolve(all))),
        new Promise((resolve) => crypto.generateKeyPair('ec', { namedCurve: 'P-256' }, (...all) => resolve(all))),
        new Promise((resolve) => setTimeout(function () { resolve([this]); }, 1)),
      ]);
      return given.flat().every((value) => value === null || value.constructor.constructor('return this')() === globalThis);
    };`,
  expectation: { returns: true },
};
