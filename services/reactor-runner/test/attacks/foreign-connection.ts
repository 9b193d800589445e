import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'brings a connection of its own along',
  target: 'host',
  code: `
    const { Duplex } = require('stream');
    const http = require('http');
    module.exports = () => new Promise((resolve, reject) => {
      const createConnection = () => Object.assign(new Duplex({ read() {}, write: (chunk, encoding, done) => done() }), { fd: 3, _handle: { fd: 3 } });
      const request = http.get({ host: 'example.com', createConnection, timeout: 20 }, () => resolve('reached'));
      request.on('error', reject).on('timeout', () => request.destroy(new Error('nobody there')));
      setTimeout(() => reject(new Error('nobody there')), 50);
    });`,
  expectation: { fails: /./ },
};
