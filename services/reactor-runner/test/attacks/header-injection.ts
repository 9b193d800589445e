import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "writes line feeds into a request's head",
  target: 'reader',
  code: `
    const http = require('http');
    module.exports = () => [
      { headers: { a: 'b\\r\\nc: d' } },
      { path: '/ HTTP/1.1\\r\\nhost: other' },
      { method: 'GET / HTTP/1.1\\r\\n' },
    ].map((options) => {
      try {
        http.request({ host: 'host.invalid', ...options }).on('error', () => {});
        return 'sent';
      } catch ({ code }) {
        return code;
      }
    });`,
  expectation: { returns: ['ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'ERR_INVALID_HTTP_TOKEN'] },
};
