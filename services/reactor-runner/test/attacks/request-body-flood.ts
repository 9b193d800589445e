import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "writes a request's body without end",
  target: 'memory',
  code: `
    const http = require('http');
    module.exports = () => new Promise((resolve, reject) => {
      const request = http.request({ host: '127.0.0.1', port: 9, method: 'POST' }, resolve).on('error', () => {});
      for (;;) request.write(Buffer.alloc(1e6, 1));
    });`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
