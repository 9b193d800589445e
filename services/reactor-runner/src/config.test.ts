import { availableParallelism } from 'node:os';

import { ConfigError } from '@glovebox/platform/settings/config-error';
import { expect } from 'chai';

import { readConfig } from './config.ts';

const least = {
  REDIS_URL: 'redis://localhost:6379',
  PUBLICATION_PUBLIC_KEYS: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
  VAULT_ADDRESS: 'vault:50051',
  SERVICE_TOKEN: 'secret-token',
  PEERS: `proxy-gateway=${'a'.repeat(64)}, control-api=${'b'.repeat(64)}`,
};

describe('the configuration of the runner', () => {
  it('needs few settings, and has as many workers as cores by default', () => {
    const config = readConfig(least);
    expect(config.workers).to.equal(availableParallelism());
    expect(config.peers).to.deep.equal({ 'proxy-gateway': 'a'.repeat(64), 'control-api': 'b'.repeat(64) });
    expect(config.egress.profile).to.equal('strict');
    expect(readConfig({ ...least, WORKERS: '3' }).workers).to.equal(3);
  });

  it('reports every problem at once and shows no secret', () => {
    const env = {
      ...least,
      PEERS: 'x',
      WORKERS: 'many',
      ISOLATE_MEMORY_MB: '1',
      MAX_RUN_MS: '-1',
      REDIS_URL: 'http://x',
    };
    let problem: unknown;
    try {
      readConfig(env);
    } catch (error) {
      problem = error;
    }
    if (!(problem instanceof ConfigError)) throw new Error('expected a ConfigError');
    for (const name of ['PEERS', 'WORKERS', 'ISOLATE_MEMORY_MB', 'MAX_RUN_MS', 'REDIS_URL']) {
      expect(problem.problems.filter((text) => text.startsWith(name))).to.have.length(1);
    }
    expect(problem.message).not.to.contain('secret-token');
  });

  it('prints nothing of its secrets', () => {
    expect(JSON.stringify(readConfig(least))).not.to.contain('secret-token');
  });
});
