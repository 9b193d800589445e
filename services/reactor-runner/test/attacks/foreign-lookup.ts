import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'brings its own name resolution along',
  target: 'host',
  code: `
    const http = require('http');
    module.exports = () => new Promise((resolve, reject) => {
      const lookup = (name, options, callback) => callback(null, '127.0.0.1', 4);
      http.get({ host: 'example.com', port: 9, lookup, family: 4, localAddress: '127.0.0.1' }, () => resolve('reached')).on('error', reject);
    });`,
  expectation: { fails: /./ },
};
