import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { prepareDatabases } from '@glovebox/local/databases';
import { grantEverything } from '@glovebox/local/grant-everything';
import { ensureKeyFile } from '@glovebox/local/key-file';
import { startPostgres } from '@glovebox/local/postgres';
import { ensurePublicationKey } from '@glovebox/local/publication-key';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { runControlCli } from '@glovebox/local/service-cli';
import { type System, serviceEnvironments } from '@glovebox/local/service-env';
import type { ServiceName } from '@glovebox/local/service-names';
import { type DevelopmentTenant, loadSettings } from '@glovebox/local/settings';
import { expect } from 'chai';

import { send } from '../harness/api.ts';
import { compileCache } from '../harness/compile-cache.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { Instance } from '../harness/topology-instance.ts';
import { until } from '../harness/until.ts';

const dataPlane = ['token-vault', 'reactor-runner', 'proxy-gateway'] as const;

describe('the data plane starts while Redis and control-api are away', function () {
  this.timeout(180_000);
  const stack = new AsyncDisposableStack();
  let folder: string;
  let system: System;
  let redis: RunningRedis;
  let destination: Destination;
  let instances: Readonly<Record<ServiceName, Instance>>;
  let tenant: DevelopmentTenant;

  const urlOf = (service: 'control-api' | 'proxy-gateway') => `http://127.0.0.1:${system.ports[service]}`;
  const manage = async (method: string, path: string, body?: unknown) => {
    const answer = await send(urlOf('control-api'), method, path, { key: tenant.management_api_key, body });
    expect(answer.status, answer.text).to.be.within(200, 299);
    return answer.json;
  };
  const use = (method: string, path: string, sent: object) =>
    send(urlOf('proxy-gateway'), method, path, { key: tenant.private_api_key, ...sent });
  const signedAtOf = async (service: ServiceName) =>
    Number(
      (await readFile(join(folder, 'snapshots', service, 'marker'), 'utf8').catch(() => '')).split(' ')[5] ??
        0,
    );

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glovebox-cold-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const settings = await loadSettings(folder);
    const postgres = stack.use(await startPostgres({ ephemeral: true }));
    redis = await startRedis({ ephemeral: true });
    stack.defer(() => redis.stop());
    destination = stack.use(await startDestination());
    const { urls } = await prepareDatabases({
      adminUrl: postgres.adminUrl,
      passwords: settings.databasePasswords,
      isPrivate: true,
    });
    const keyFile = join(folder, 'vault-key.json');
    ensureKeyFile(keyFile);
    system = {
      ports: settings.ports,
      serviceTokens: settings.serviceTokens,
      databases: urls as System['databases'],
      redisUrl: redis.url,
      redisPrefix: 'glovebox',
      keyFile,
      publicationKey: ensurePublicationKey(join(folder, 'publication-key.pem')),
      snapshots: join(folder, 'snapshots'),
      egressProfile: 'development',
      publicBaseUrl: 'http://localhost',
      logLevel: 'warn',
      passedOn: { PATH: process.env['PATH'] ?? '', ...compileCache },
    };
    const environments = serviceEnvironments(system);
    const instance = (service: ServiceName) =>
      new Instance({
        service,
        host: '127.0.0.1',
        metricsPort: system.ports[`${service}-metrics`],
        env: {
          ...environments[service],
          ...(service === 'reactor-runner' ? { WORKERS: '1', ASYNC_WORKERS: '1' } : {}),
        },
        logFile: join(folder, `${service}.log`),
      });
    instances = {
      'token-vault': instance('token-vault'),
      'control-api': instance('control-api'),
      'reactor-runner': instance('reactor-runner'),
      'proxy-gateway': instance('proxy-gateway'),
    };
    stack.defer(async () => void (await Promise.all(Object.values(instances).map((each) => each.stop()))));
    await Promise.all([instances['token-vault'].start(), instances['control-api'].start()]);
    await instances['reactor-runner'].start();
    await instances['proxy-gateway'].start();
    tenant = JSON.parse(
      await runControlCli(system, ['tenant', 'create', 'cold', '--development']),
    ) as DevelopmentTenant;
    await grantEverything(urlOf('control-api'), tenant.management_api_key);
  });

  after(() => stack.disposeAsync());

  it('and serves proxies, reactors and keys as they were published, and none that was revoked', async () => {
    const proxy = await manage('POST', '/proxies', {
      name: 'cold',
      destination_url: destination.url,
      require_auth: true,
      request_transform: {
        code: 'module.exports = async ({ args }) => ({ ...args, headers: { ...args.headers, "X-Cold": "yes" } });',
      },
    });
    const formula = await manage('POST', '/reactor-formulas', {
      type: 'private',
      name: 'cold',
      code: 'module.exports = async ({ args }) => ({ raw: { length: args.card.length } });',
      configuration: [],
      request_parameters: [{ name: 'card', type: 'string' }],
    });
    const reactor = await manage('POST', '/reactors', {
      name: 'cold',
      formula: { id: formula.id },
      configuration: {},
    });
    const revoked = await manage('POST', '/applications', {
      name: 'revoked',
      type: 'private',
      permissions: ['token:create'],
    });
    const token = (await use('POST', '/tokens', { body: { type: 'token', data: '4242424242424242' } })).json;
    await manage('DELETE', `/applications/${revoked.id}`);
    const published = Date.now();
    await until(
      'every snapshot covers that',
      async () => (await Promise.all(dataPlane.map(signedAtOf))).every((signedAt) => signedAt > published),
      60_000,
    );
    await Promise.all(Object.values(instances).map((each) => each.stop()));
    await redis.stop();
    for (const service of dataPlane) await instances[service].start();
    const readiness = await fetch(`http://127.0.0.1:${system.ports['proxy-gateway-metrics']}/readyz`);
    expect(await readiness.json())
      .to.have.nested.property('notes.configuration')
      .that.matches(/snapshot of 2/);

    const proxied = await use('POST', '/proxy', {
      headers: { 'SVC-PROXY-KEY': proxy.key },
      body: { card: `{{${token.id}}}` },
    });
    expect(proxied.status, proxied.text).to.equal(200);
    const [received] = destination.received;
    expect(received?.headers['x-cold']).to.equal('yes');
    expect(received?.body.toString()).to.equal('{"card":"4242424242424242"}');
    const reacted = await use('POST', `/reactors/${reactor.id}/react`, {
      body: { args: { card: `{{${token.id}}}` } },
    });
    expect(reacted.json, reacted.text).to.deep.equal({ raw: { length: 16 } });
    const detokenized = await use('POST', '/detokenize', { body: { card: `{{${token.id}}}` } });
    expect(detokenized.json, detokenized.text).to.deep.equal({ card: '4242424242424242' });
    const refused = await use('POST', '/tokens', { key: revoked.key, body: { type: 'token', data: 'x' } });
    expect(refused.status, refused.text).to.be.oneOf([401, 503]);
  });
});
