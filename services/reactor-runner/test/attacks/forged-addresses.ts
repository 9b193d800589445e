import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "writes the address of the host's own network in every way that there is",
  target: 'host',
  code: `
    const https = require('https');
    const hosts = [
      '127.0.0.1', 'localhost', '0.0.0.0', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[::]',
      '127.0.0.1.', 'LOCALHOST', '10.0.0.1', '192.168.0.1', '172.16.0.1', '100.64.0.1', '169.254.169.254', '[fe80::1]', '[fd00::1]',
      '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '127.0.0.1%00.example.com', '①②⑦.⓪.⓪.①',
    ];
    module.exports = async () => {
      const reached = await Promise.all(hosts.map((host) => new Promise((resolve) => {
        try {
          https.get('https://' + host + ':9/', { rejectUnauthorized: false }, () => resolve(host)).on('error', ({ code }) => resolve(code === 'ECONNREFUSED' ? host : undefined));
        } catch {
          resolve();
        }
      })));
      return reached.filter(Boolean);
    };`,
  expectation: { returns: [] },
};
