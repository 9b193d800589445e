import { ConfigError } from '@glovebox/platform/settings/config-error';
import { expect } from 'chai';

import { readConfig } from './config.ts';

const complete = {
  REDIS_URL: 'redis://:password@localhost:6379',
  PUBLICATION_PUBLIC_KEYS: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
  VAULT_ADDRESS: 'vault:50051',
  RUNNER_ADDRESS: 'runner:50052',
  SERVICE_TOKEN: 'token-of-the-gateway',
};

describe('the gateway’s configuration', () => {
  it('is strict about egress by default', () => {
    expect(readConfig(complete).egress.profile).to.equal('strict');
  });

  it('reports every problem at once, and no value', () => {
    const read = () =>
      readConfig({
        REDIS_URL: 'http://:hunter2@x',
        VAULT_ADDRESS: 'no-port',
        HTTP_PORT: '70000',
        EGRESS_PROFILE: 'lax',
        PUBLICATION_PUBLIC_KEYS: 'bm8ga2V5',
      });
    expect(read).to.throw(ConfigError);
    try {
      read();
    } catch (error) {
      const { problems, message } = error as ConfigError;
      expect(problems.map((problem) => problem.split(' ')[0])).to.have.members([
        ...['REDIS_URL', 'VAULT_ADDRESS', 'RUNNER_ADDRESS', 'HTTP_PORT', 'EGRESS_PROFILE', 'SERVICE_TOKEN'],
        'PUBLICATION_PUBLIC_KEYS',
      ]);
      expect(message).to.not.contain('hunter2');
    }
  });

  it('refuses what no egress policy can be made of', () => {
    expect(() => readConfig({ ...complete, EGRESS_ALLOW_CIDRS: '0.0.0.0/0' })).to.throw(/EGRESS_ALLOW_CIDRS/);
    expect(() => readConfig({ ...complete, EGRESS_ALLOW_HOSTS: 'Not A Name' })).to.throw(
      /EGRESS_ALLOW_HOSTS/,
    );
    expect(
      readConfig({ ...complete, EGRESS_ALLOW_CIDRS: '10.1.0.0/16, 10.2.0.0/16' }).egress.allowCidrs,
    ).to.deep.equal(['10.1.0.0/16', '10.2.0.0/16']);
  });

  it('lets pages of any origin call unless it names some or none', () => {
    const origins = (value?: string) => readConfig({ ...complete, ALLOWED_ORIGINS: value }).origins;
    expect(origins()).to.equal('*');
    expect(origins('*')).to.equal('*');
    expect(origins('none')).to.deep.equal(new Set());
    const two = ['https://shop.example.org', 'http://localhost:3000'];
    expect(origins(two.join(', '))).to.deep.equal(new Set(two));
    for (const wrong of [
      'https://shop.example.org/',
      'shop.example.org',
      '*, none',
      'https://Shop.example.org',
    ]) {
      expect(() => origins(wrong), wrong).to.throw(/ALLOWED_ORIGINS must be/);
    }
  });

  it('never prints a secret', () => {
    const printed = JSON.stringify(readConfig(complete));
    expect(printed).to.not.contain('password').and.to.not.contain('token-of-the-gateway');
  });
});
