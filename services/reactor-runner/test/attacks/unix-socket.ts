import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks a socket in the file system',
  target: 'host',
  code: `
    const http = require('http');
    module.exports = () => new Promise((resolve, reject) => {
      http.get({ socketPath: '/var/run/docker.sock', path: '/containers/json' }, (response) => resolve(response.statusCode)).on('error', reject);
    });`,
  expectation: { fails: /./ },
};
