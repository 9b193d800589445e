import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'looks for the client of the service that only reactors have',
  target: 'host',
  code: `
    module.exports = (req) => ['bt', 'btjs', 'configuration', 'delegation', 'tenantId'].filter((name) => name in globalThis || name in req);`,
  expectation: { returns: [] },
};
