import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'listens for connections',
  target: 'host',
  code: `
    const http = require('http');
    module.exports = () => new Promise((resolve, reject) => {
      http.createServer(() => {}).on('error', reject).listen(0, () => resolve('listens'));
    });`,
  expectation: { fails: /./ },
};
