import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { type System, passedOnVariables, serviceEnvironments } from './service-env.ts';
import { type PortName, portNames, serviceNames } from './service-names.ts';

const system: System = {
  ports: Object.fromEntries(portNames.map((name, index) => [name, 5000 + index])) as Record<PortName, number>,
  serviceTokens: {
    'token-vault': 'vault-token',
    'reactor-runner': 'runner-token',
    'control-api': 'control-token',
    'proxy-gateway': 'gateway-token',
  },
  databases: { control: 'postgres://c', vault: 'postgres://v' },
  redisUrl: 'redis://r',
  redisPrefix: 'glovebox',
  keyFile: '/keys/vault.json',
  publicationKey: { keyFile: '/keys/publication.pem', publicKeys: 'public' },
  egressProfile: 'strict',
  publicBaseUrl: 'http://localhost:8080',
  logLevel: 'info',
  passedOn: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel' },
};

describe('service environments', () => {
  const environments = serviceEnvironments(system);
  const holders = (value: string) =>
    serviceNames.filter((name) => Object.values(environments[name]).some((text) => text.includes(value)));

  it('give the database of each service to that service only', () => {
    expect(holders('postgres://v')).to.deep.equal(['token-vault']);
    expect(holders('postgres://c')).to.deep.equal(['control-api']);
  });

  it('give what an operator opens to all that judge or dial destinations', () => {
    const passedOn = passedOnVariables({ EGRESS_ALLOW_HOSTS: 'redis', EGRESS_ALLOW_CIDRS: '10.0.0.0/8' });
    const opened = serviceEnvironments({ ...system, passedOn });
    for (const name of ['control-api', 'proxy-gateway', 'reactor-runner'] as const) {
      expect(opened[name]).to.include({ EGRESS_ALLOW_HOSTS: 'redis', EGRESS_ALLOW_CIDRS: '10.0.0.0/8' });
    }
  });

  it("give the vault's key to the vault only", () => {
    expect(holders('/keys/vault.json')).to.deep.equal(['token-vault']);
  });

  it('give the key that signs published records to control-api only, and its public half to all', () => {
    expect(holders('/keys/publication.pem')).to.deep.equal(['control-api']);
    for (const name of serviceNames)
      expect(environments[name]).to.include({ PUBLICATION_PUBLIC_KEYS: 'public' });
  });

  it('give the token of each service to that service only, and its hash to those it may call', () => {
    for (const name of serviceNames) expect(holders(system.serviceTokens[name])).to.deep.equal([name]);
    const hash = createHash('sha256').update('gateway-token').digest('hex');
    expect(holders(`proxy-gateway=${hash}`)).to.deep.equal(['token-vault', 'reactor-runner']);
  });

  it('give each caller the address of the vault', () => {
    const { GRPC_HOST, GRPC_PORT } = environments['token-vault'];
    for (const name of ['control-api', 'proxy-gateway', 'reactor-runner'] as const) {
      expect(environments[name]['VAULT_ADDRESS']).to.equal(`${GRPC_HOST}:${GRPC_PORT}`);
    }
  });

  it("close every port of the system, besides the destination's, to proxies and to tenants' code", () => {
    for (const name of ['proxy-gateway', 'reactor-runner'] as const) {
      const closed = environments[name]['EGRESS_DENY_LOCAL_PORTS']?.split(',');
      expect(closed).to.deep.equal(
        portNames.filter((port) => port !== 'destination').map((port) => String(system.ports[port])),
      );
    }
  });

  it('name the certificates of each service to that service only, if there are any', () => {
    const secured = serviceEnvironments({ ...system, certificates: '/certificates' });
    for (const name of serviceNames) {
      expect(environments[name]).not.to.have.property('GRPC_TLS_CERT_FILE');
      expect(secured[name]).to.include({
        GRPC_TLS_CA_FILE: '/certificates/authority.pem',
        GRPC_TLS_CERT_FILE: `/certificates/${name}.pem`,
        GRPC_TLS_KEY_FILE: `/certificates/${name}-key.pem`,
      });
    }
  });

  it('pass on how to export telemetry, and nothing else that is ours', () => {
    expect(holders('http://otel')).to.have.length(4);
    expect(passedOnVariables({ OTEL_X: '1', TZ: 'UTC', AWS_SECRET: 's', npm_config_x: 'y' })).to.deep.equal({
      OTEL_X: '1',
      TZ: 'UTC',
    });
    expect(passedOnVariables({ NODE_OPTIONS: '--inspect' })).to.deep.equal({ NODE_OPTIONS: '--inspect' });
  });
});
