import { ConfigError } from '@glovebox/platform/settings/config-error';
import { expect } from 'chai';

import { readControlConfig } from './config.ts';

const env = {
  DATABASE_URL: 'postgres://u:secret@db/control',
  REDIS_URL: 'rediss://:secret@redis',
  PUBLICATION_KEY_FILE: '/keys/publication.pem',
  PUBLICATION_PUBLIC_KEYS: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
  HTTP_PORT: '8080',
  METRICS_PORT: '9090',
  SERVICE_TOKEN: 'secret',
  VAULT_ADDRESS: 'vault:50051',
  RUNNER_ADDRESS: 'runner:50052',
};

describe('the configuration', () => {
  it('needs only stores, ports, a token, the vault and the runner; the egress rules are strict by default', () => {
    const config = readControlConfig(env);
    expect(config).to.include({
      httpHost: '127.0.0.1',
      httpPort: 8080,
      egressProfile: 'strict',
      aliases: true,
      redisPrefix: 'glovebox',
    });
    expect(config.databaseUrl.reveal()).to.equal(env.DATABASE_URL);
  });

  it('never prints a secret', () => {
    const config = readControlConfig(env);
    expect(JSON.stringify(config)).not.to.contain('secret@').and.not.to.contain('"secret"');
  });

  it('refuses a prefix that means something in a pattern of Redis', () => {
    for (const REDIS_PREFIX of ['a*', 'a?', 'a[b]', 'a b', 'a'.repeat(65)]) {
      expect(() => readControlConfig({ ...env, REDIS_PREFIX })).to.throw(ConfigError, 'REDIS_PREFIX');
    }
  });
});
