import { freePort } from '@glovebox/local/ports';
import { type RecordName, redisNames } from '@glovebox/published/keys';
import { expect } from 'chai';

import type { ControlConfig } from '../src/config.ts';
import { type Answer, type TestTenant, newTenant, send, startTestApi } from './harness/api.ts';
import { environmentOf } from './harness/mortal.ts';
import { startOtlpReceiver } from './harness/otlp-receiver.ts';
import { type Running, runSource } from './harness/process.ts';
import { openEyes } from './harness/projection.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { emptyInstallation, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';
import { untilWhole } from './harness/whole.ts';

const canary = 'canary-4c1d';
const application = { name: canary, type: 'private', permissions: ['token:use'] };

describe('control-api as a process', () => {
  let config: ControlConfig;
  let tenant: TestTenant;
  let base: string;
  let running: Running;

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    const httpPort = await freePort();
    base = `http://127.0.0.1:${httpPort}`;
    running = runSource('main.ts', [], {
      ...environmentOf({ ...config, httpPort, logLevel: 'info' }),
      ...env,
    });
    await until(30_000, async () => expect((await fetch(base)).status).to.equal(404));
  };
  const post = (headers: Record<string, string> = {}): Promise<Answer> =>
    until(20_000, async () => {
      const answer = await send(base, tenant.managementKey, 'POST /applications', {
        body: application,
        headers,
      });
      expect(answer.status).to.equal(201);
      return answer;
    });

  beforeEach(async () => {
    config = await newInstallation();
    tenant = await newTenant(config);
  });

  it('one trace holds the request, its statements and its publication, and nothing that was sent or made', async () => {
    await using receiver = await startOtlpReceiver();
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const answer = await post({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    running.stop();
    expect((await running.ended).code).to.equal(0);

    const trace = receiver.spans.filter((span) => span.traceId === traceId);
    const request = trace.find((span) => span.name === 'POST /applications');
    expect(request?.parentSpanId).to.equal('00f067aa0ba902b7');
    const children = trace.filter((span) => span.parentSpanId === request?.spanId).map((span) => span.name);
    expect(children).to.include.members([
      'publish',
      'postgres insert-application',
      'postgres append-to-outbox',
    ]);
    for (const secret of [answer.body.key, tenant.managementKey, canary])
      expect(receiver.text()).not.to.contain(secret);
  });

  it('one log line per request, with who, what, how long, and nothing that was sent or made', async () => {
    await start();
    const answer = await post({ 'SVC-TRACE-ID': 'order-42' });
    running.stop();
    const { code, stdout, stderr } = await running.ended;
    expect(code).to.equal(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['correlation_id'] === 'order-42' && line['status'] === 201);
    expect(lines).to.have.length(1);
    const { method, route, status, ms, tenant_id: tenantId, application_id: applicationId } = lines[0] ?? {};
    expect({ method, route, status, tenantId }).to.deep.equal({
      method: 'POST',
      route: '/applications',
      status: 201,
      tenantId: tenant.id,
    });
    expect([typeof ms, typeof applicationId]).to.deep.equal(['number', 'string']);
    for (const secret of [answer.body.key, tenant.managementKey, canary])
      expect(stdout + stderr).not.to.contain(secret);
  });

  it('every problem of its configuration is reported at once, before anything starts', async () => {
    const { code, stderr } = await runSource('main.ts', [], {
      HTTP_PORT: 'x',
      REDIS_URL: 'http://x',
      REDIS_PREFIX: '*',
      METRICS_PORT: 'x',
    }).ended;
    expect(code).to.equal(78);
    for (const name of [
      'DATABASE_URL',
      'REDIS_URL',
      'REDIS_PREFIX',
      'HTTP_PORT',
      'METRICS_PORT',
      'SERVICE_TOKEN',
      'VAULT_ADDRESS',
      'RUNNER_ADDRESS',
    ]) {
      expect(stderr).to.contain(name);
    }
  });
});

describe('the command line', () => {
  const run = async (args: readonly string[], env: Readonly<Record<string, string>>) =>
    runSource('cli.ts', args, env).ended;

  it('makes a tenant on an empty database, prints JSON and nothing else, and its key works', async () => {
    const config = await emptyInstallation();
    const { code, stdout, stderr } = await run(['tenant', 'create', 'Ärzte & Co'], environmentOf(config));
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/^\{.*\}\n$/);
    const printed = JSON.parse(stdout) as { tenant_id: string; management_api_key: string };
    expect(printed).to.have.all.keys('tenant_id', 'management_api_key');
    await using api = await startTestApi({ sealer: reversingSealer }, config);
    const { body } = await api.send('GET /tenants/self', { key: printed.management_api_key });
    expect(body).to.include({ id: printed.tenant_id, name: 'Ärzte & Co' });
  });

  it('with --development it prints the keys of a private and a public application too', async () => {
    const { stdout } = await run(
      ['tenant', 'create', 'x', '--development'],
      environmentOf(await newInstallation()),
    );
    const keys = ['tenant_id', 'management_api_key', 'private_api_key', 'public_api_key'];
    expect(JSON.parse(stdout)).to.have.all.keys(keys);
  });

  it('says how it is used, what is wrong with a name, and all that is wrong with its configuration', async () => {
    for (const args of [
      [],
      ['tenant'],
      ['tenant', 'create'],
      ['tenant', 'create', 'a', 'b'],
      ['tenant', 'create', 'a', '--x'],
    ]) {
      const { code, stdout, stderr } = await run(args, {});
      expect([code, stdout]).to.deep.equal([64, '']);
      expect(stderr).to.contain('usage: tenant create NAME [--development]');
    }
    // How long a name may be is a setting.
    const settings = environmentOf(await newInstallation());
    expect(await run(['tenant', 'create', ''], settings)).to.include({
      code: 64,
      stderr: 'name: must not be empty\n',
    });
    const { code, stderr } = await run(['tenant', 'create', 'x'], {});
    expect(code).to.equal(78);
    expect(stderr).to.contain('DATABASE_URL').and.to.contain('REDIS_URL');
  });

  it('shows how it is used when asked, and tells every problem of the configuration', async () => {
    const help = await run(['--help'], {});
    expect([help.code, help.stderr]).to.deep.equal([0, '']);
    for (const name of ['tenant create', 'projection rebuild', 'config check']) {
      expect(help.stdout).to.contain(`${name}:`);
    }
    const { code, stdout, stderr } = await run(['config', 'check'], { HTTP_PORT: 'x' });
    expect([code, stdout]).to.deep.equal([78, '']);
    for (const name of ['HTTP_PORT', 'DATABASE_URL', 'VAULT_ADDRESS', 'docs/settings.md']) {
      expect(stderr).to.contain(name);
    }
    const good = await run(['config', 'check'], environmentOf(await newInstallation()));
    expect([good.code, good.stdout]).to.deep.equal([0, '{"service":"control-api","problems":[]}\n']);
  });

  it('makes the projection anew beside the running service, whole or not, and prints how much it was', async () => {
    await using api = await startTestApi({ sealer: reversingSealer });
    using eyes = await openEyes(api.config);
    await untilWhole(api.config, eyes);
    const before = (await eyes.see()).records;
    const [name = ''] = before.keys();
    const record = redisNames(api.config.redisPrefix).record(name as RecordName);
    await eyes.command('SET', record, 'spoiled by hand');
    const { code, stdout } = await run(['projection', 'rebuild'], environmentOf(api.config));
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({
      records: { tenant: 1, application: 3, 'application-id': 3 },
      outbox_entries: 0,
    });
    expect((await eyes.see()).records).to.deep.equal(before);
    await untilWhole(api.config, eyes);
  });

  it('says so when Postgres or Redis is away, and makes nothing', async () => {
    const env = environmentOf(await newInstallation());
    const noRedis = await run(['tenant', 'create', 'x'], { ...env, REDIS_URL: 'redis://127.0.0.1:1' });
    expect([noRedis.code, noRedis.stdout]).to.deep.equal([69, '']);
    const noPostgres = await run(['tenant', 'create', 'x'], {
      ...env,
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
    });
    expect([noPostgres.code, noPostgres.stderr]).to.deep.equal([69, 'The database cannot be reached.\n']);
  });
});
