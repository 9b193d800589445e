import { once } from 'node:events';

import { migrate } from '@glovebox/platform/db/migrate';
import { createPostgres } from '@glovebox/platform/db/postgres';
import { createRedis } from '@glovebox/platform/db/redis';
import { redisNames } from '@glovebox/published/keys';
import { webhookEvents } from '@glovebox/published/webhook-events';
import { expect } from 'chai';

import { testPublication } from '../../../test/harness/test-publication.ts';
import { migrationsFolder } from '../src/migrations.ts';
import type { Checkpoint } from '../src/publication/checkpoints.ts';
import { append } from '../src/publication/outbox.ts';
import { Projection } from '../src/publication/projection.ts';
import { publishRound } from '../src/publication/publish-round.ts';
import { namedRecord } from '../src/publication/record.ts';
import { type TestApi, type TestTenant, newTenant, send, startTestApi } from './harness/api.ts';
import { type EventReader, openEvents } from './harness/events.ts';
import { startMortalApi } from './harness/mortal.ts';
import { openEyes } from './harness/projection.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';

const canary = 'canary-6f1d20c4';
const hook = { name: 'all', url: 'https://example.com/hook', events: webhookEvents };
const code = `module.exports = () => '${canary}'`;

/** contract/webhooks.md#events, docs/adr/0036. */
describe('events of resources', () => {
  let api: TestApi;
  let events: EventReader;
  let tenant: TestTenant;
  before(async () => {
    api = await startTestApi({ sealer: reversingSealer });
    events = await openEvents(api.config);
  });
  after(async () => {
    events[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    tenant = await api.newTenant();
  });

  const manage = async (request: string, body?: object, headers: Record<string, string> = {}) => {
    const sent = { key: tenant.managementKey, headers: { 'SVC-TRACE-ID': 'trace-1', ...headers } };
    const answer = await api.send(request, body === undefined ? sent : { ...sent, body });
    expect(answer.status, answer.text).to.be.oneOf([200, 201, 204]);
    return answer.status === 204 ? ({} as typeof answer.body) : answer.body;
  };
  const patch = { 'Content-Type': 'application/merge-patch+json' };
  const ownId = async () => (await manage('GET /applications/key')).id;

  /** Changes everything that can be changed, and gives the types of the events. */
  async function changeEverything(): Promise<readonly string[]> {
    const proxy = {
      name: 'p',
      destination_url: `https://example.com/${canary}`,
      configuration: { SECRET: canary },
      request_transform: { code },
    };
    const made = await manage('POST /proxies', proxy);
    await manage(`PUT /proxies/${made.id}`, proxy);
    await manage(`PATCH /proxies/${made.id}`, { name: 'q' }, patch);
    await manage(`DELETE /proxies/${made.id}`);
    const reactor = await manage('POST /reactors', { name: 'r', code, configuration: {} });
    await manage(`PUT /reactors/${reactor.id}`, { name: 'r', code, configuration: {} });
    await manage(`PATCH /reactors/${reactor.id}`, { name: 's' }, patch);
    await manage(`DELETE /reactors/${reactor.id}`);
    const body = { name: 'a', type: 'private', permissions: ['token:use'] };
    const { id } = await manage('POST /applications', body);
    await manage(`PUT /applications/${id}`, body);
    await manage(`POST /applications/${id}/regenerate`);
    const key = await manage(`POST /applications/${id}/keys`);
    await manage(`DELETE /applications/${id}/keys/${key.id}`);
    await manage(`DELETE /applications/${id}`);
    await manage('PUT /tenants/self', { name: 't', settings: { deduplicate_tokens: 'true' } });
    const invitation = await manage('POST /tenants/self/invitations', { email: `${canary}@example.com` });
    await manage(`POST /tenants/self/invitations/${invitation.id}/resend`);
    await manage(`DELETE /tenants/self/invitations/${invitation.id}`);
    return [
      ...['proxy.created', 'proxy.updated', 'proxy.updated', 'proxy.deleted'],
      ...['reactor.created', 'reactor.updated', 'reactor.updated', 'reactor.deleted'],
      ...['application.created', 'application.updated', 'application.key.deleted', 'application.key.created'],
      ...['application.key.created', 'application.key.deleted', 'application.deleted', 'tenant.updated'],
      ...['tenant.invitation.created', 'tenant.invitation.updated', 'tenant.invitation.deleted'],
    ];
  }

  it('report each change once, who made it, and nothing that could be secret', async () => {
    await manage('POST /webhooks', hook);
    const expected = await changeEverything();
    const told = await events.next(expected.length);
    expect(told.map(({ type }) => type)).to.deep.equal(expected);
    expect(new Set(told.map(({ id }) => id)).size).to.equal(told.length);
    const id = await ownId();
    for (const event of told) {
      expect(event).to.include({ tenant_id: tenant.id, trace_id: 'trace-1' });
      expect(event.data.actor).to.deep.equal({ id, type: 'application' });
      expect(event.data['id']).to.match(/^[\da-f-]{36}$/);
      expect(event.data['created_at']).to.be.a('string');
    }
    expect(JSON.stringify(told)).to.not.contain(canary);
    expect(JSON.stringify(told)).to.not.contain('key_');
    const named = (type: string) => told.find((event) => event.type === type)?.data;
    expect(named('proxy.created')).to.have.keys([
      ...['id', 'name', 'require_auth', 'created_by', 'created_at', 'actor'],
    ]);
    expect(named('proxy.updated')).to.have.any.keys('modified_at');
    expect(named('reactor.deleted')).to.include({ name: 's' });
    expect(named('application.key.created')?.['application']).to.include({ name: 'a' });
    expect(named('tenant.updated')).to.include({ id: tenant.id, name: 't' });
    const [left] = await inDatabase<{ count: number }>(
      api.config.databaseUrl.reveal(),
      'SELECT count(*)::integer AS count FROM event_outbox',
    );
    expect(left?.count).to.equal(0);
  });

  it('go to no webhook that does not want them, or wants them no more', async () => {
    const stranger = await api.newTenant();
    await api.send('POST /webhooks', { key: stranger.managementKey, body: hook });
    await manage('POST /webhooks', { ...hook, events: ['reactor.completed'] });
    await manage('POST /webhooks', { ...hook, status: 'disabled' });
    await changeEverything();
    await manage('POST /webhooks', hook);
    await manage('POST /applications', { name: 'last', type: 'private', permissions: ['token:use'] });
    const told = await events.next(1);
    expect(told.map(({ data }) => data['name'])).to.deep.equal(['last']);
  });

  it('are not told of what was refused, nor twice of a request that was sent again', async () => {
    await manage('POST /webhooks', hook);
    const body = { name: 'once', type: 'private', permissions: ['token:use'] };
    const key = { 'SVC-IDEMPOTENCY-KEY': 'order-1' };
    await api.send('POST /applications', { key: tenant.managementKey, body: { ...body, type: 'none' } });
    await manage('POST /applications', body, key);
    await manage('POST /applications', body, key);
    await manage('PUT /tenants/self', { name: 't' });
    const told = await events.next(2);
    expect(told.map(({ type }) => type)).to.deep.equal(['application.created', 'tenant.updated']);
  });
});

describe('events that cannot be handed on', () => {
  it('fail no change, and are emitted once they can be', async () => {
    await using api = await startTestApi({ sealer: reversingSealer });
    using eyes = await openEyes(api.config);
    using events = await openEvents(api.config);
    const { managementKey: key } = api.tenant;
    expect((await api.send('POST /webhooks', { key, body: hook })).status).to.equal(201);
    const inbox = redisNames(api.config.redisPrefix).events;
    await eyes.command('SET', inbox, 'no list');
    const body = { name: 'told', type: 'private', permissions: ['token:use'] };
    const made = await api.send('POST /applications', { key, body });
    expect(made.status, made.text).to.equal(201);
    expect((await api.send('GET /applications/key', { key: made.body.key })).body.name).to.equal('told');
    await eyes.command('DEL', inbox);
    expect((await events.next(1)).map(({ type }) => type)).to.deep.equal(['application.created']);
  });

  it('because more changes wait than a turn publishes wait for the turn that publishes theirs', async () => {
    const config = await newInstallation();
    await migrate(config.databaseUrl, migrationsFolder);
    const shared = { connectTimeoutMs: 5000, applicationName: 'test', onError: () => undefined };
    await using postgres = createPostgres({
      ...shared,
      url: config.databaseUrl,
      maxConnections: 2,
      statementTimeoutMs: 5000,
    });
    const redis = createRedis({
      ...shared,
      url: config.redisUrl,
      connectionName: 't',
      commandTimeoutMs: 5000,
    });
    await once(redis, 'ready');
    const keys = { signing: testPublication.signing, public: testPublication.publicKeys };
    const projection = new Projection(redis, redisNames(config.redisPrefix), keys);
    const turn = () => publishRound({ postgres, projection, sources: [], onCheckpoint: () => undefined });
    await turn();
    for (let version = 1; version <= 101; version += 1)
      await append(postgres, [
        namedRecord('tenant:t', version, {
          $case: 'tenant',
          value: { id: 't', settings: {}, egressPolicy: undefined },
        }),
      ]);
    await postgres.query('keep', `INSERT INTO event_outbox (event) VALUES ('{}')`);
    expect(await turn())
      .to.include({ published: 100, more: true })
      .and.deep.include({ events: [] });
    expect(await turn())
      .to.include({ published: 1, more: false })
      .and.deep.include({ events: ['1'] });
    redis.disconnect();
  });
});

describe('a control-api that is killed', () => {
  const deaths: readonly [step: Checkpoint, guarantee: string][] = [
    ['committed', 'before it has handed an event on has another one emit it'],
    [
      'events-handed-on',
      'before it knows that it has handed an event on has it told again under the same id',
    ],
  ];
  for (const [step, guarantee] of deaths) {
    it(guarantee, async () => {
      const config = await newInstallation();
      using events = await openEvents(config);
      const tenant = await newTenant(config);
      const mortal = await startMortalApi(config);
      await send(mortal.base, tenant.managementKey, 'POST /webhooks', { body: hook });
      mortal.dieAt(step, 1);
      const body = { name: 'told', type: 'private', permissions: ['token:use'] };
      await send(mortal.base, tenant.managementKey, 'POST /applications', { body }).catch(() => null);
      await mortal.dead;
      const before = await events.rest();
      expect(before).to.have.length(step === 'committed' ? 0 : 1);
      await using _next = await startTestApi({ sealer: reversingSealer }, config);
      const told = await events.next(1);
      expect(told.map(({ type }) => type)).to.deep.equal(['application.created']);
      if (before.length > 0) expect(told).to.deep.equal(before);
    });
  }
});
