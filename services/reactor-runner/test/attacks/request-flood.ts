import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'makes requests without end',
  target: 'memory',
  code: `
    const http = require('http');
    module.exports = () => new Promise((resolve, reject) => {
      let errors = 0;
      const again = () => http.get('http://host.invalid/').on('error', (error) => {
        errors += 1;
        if (errors > 1e6) reject(error);
        again();
        again();
      });
      again();
    });`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /./ },
};
