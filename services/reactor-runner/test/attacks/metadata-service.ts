import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'asks the metadata service of a cloud for credentials',
  target: 'host',
  code: `
    const http = require('http');
    module.exports = () => new Promise((resolve, reject) => {
      http.get('http://169.254.169.254/latest/meta-data/iam/', resolve).on('error', reject);
    });`,
  expectation: { fails: /./ },
};
