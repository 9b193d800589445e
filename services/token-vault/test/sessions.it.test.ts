import { generateNonce, hashKey } from '@glovebox/access/api-key';
import { createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { redisNames } from '@glovebox/published/keys';
import { expect } from 'chai';

import type { NewSession } from './harness/exchange-client.ts';
import { codeOf, failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';
import { sharedRedis } from './harness/servers.ts';

const read = (container: string, transform = 'reveal') => ({
  priority: 1,
  container,
  transform,
  permissions: ['token:read', 'token:search', 'token:use'],
});

describe('sessions', () => {
  let fixture: Fixture;
  let maker: TestApplication;
  before(async () => {
    fixture = await Fixture.start({}, (config) => ({
      ...config,
      limits: { ...config.limits, waitingSessions: 50 },
    }));
    maker = await publicApplication();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const publicApplication = (tenantId = fixture.tenantId) =>
    fixture.publisher.application({ tenantId, type: 'public', permissions: ['token:create'] });
  const create = (by = maker) => fixture.gateway.createSession(by);
  const authorize = (body: unknown, by = fixture.owner) => fixture.gateway.authorizeSession(by, body);
  const as = (session: NewSession): TestApplication => ({ ...fixture.owner, key: session.session_key });
  const authorized = async (body: object): Promise<TestApplication> => {
    const session = await create();
    await authorize({ nonce: session.nonce, ...body });
    return as(session);
  };

  it('can do nothing until they are authorized, and then what they were granted', async () => {
    const session = await create();
    expect(session.session_key).to.match(/^key_[1-9A-HJ-NP-Za-km-z]{22}$/);
    expect(session.nonce).to.match(/^[1-9A-HJ-NP-Za-km-z]{22}$/);
    expect(Date.parse(session.expires_at) - Date.now()).to.be.within(170_000, 180_000);
    const id = await fixture.token();
    expect(await codeOf(fixture.gateway.get(as(session), id))).to.equal('permission_denied');
    await authorize({ nonce: session.nonce, rules: [read('/pci/')] });
    while ((await codeOf(fixture.gateway.get(as(session), id))) !== 'ok');
    expect((await fixture.gateway.get(as(session), id))['data']).to.include({ number: card.number });
    expect(await fixture.gateway.use(as(session), [`${id} | json: '$.number'`])).to.deep.equal([card.number]);
    expect(await codeOf(fixture.gateway.delete(as(session), id))).to.equal('permission_denied');
    const outside = await fixture.token(1, { containers: ['/general/'] });
    expect(await codeOf(fixture.gateway.get(as(session), outside))).to.equal('permission_denied');
  });

  it('hold plain permissions as an application does', async () => {
    const session = await authorized({ permissions: ['token:create', 'token:read'] });
    const created = await fixture.gateway.create(session, { type: 'card', data: card });
    expect(created['data']).to.include({ number: 'XXXXXXXXXXXX4242' });
    expect((await fixture.gateway.get(session, String(created['id'])))['data']).to.include({
      number: 'XXXXXXXXXXXX4242',
    });
  });

  it('are authorized once, even by many requests at the same time', async () => {
    const { nonce } = await create();
    const attempts = Array.from({ length: 20 }, () =>
      codeOf(authorize({ nonce, permissions: ['token:use'] })),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'ok')).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === 'conflict')).to.have.length(19);
    expect(await codeOf(authorize({ nonce, permissions: ['token:use'] }))).to.equal('conflict');
  });

  it('are never given twice, whatever idempotency key they were asked for with', async () => {
    const one = await fixture.gateway.createSession(maker, { idempotencyKey: 'k' });
    const two = await fixture.gateway.createSession(maker, { idempotencyKey: 'k' });
    expect(two.session_key).not.to.equal(one.session_key);
    expect(two.nonce).not.to.equal(one.nonce);
  });

  it('are unknown to other tenants, and under an invented nonce', async () => {
    const { nonce } = await create();
    const foreigner = await fixture.foreigner();
    const body = { permissions: ['token:use'] };
    expect(await codeOf(authorize({ nonce, ...body }, foreigner))).to.equal('not_found');
    expect(await codeOf(authorize({ nonce: generateNonce(), ...body }))).to.equal('not_found');
    expect(await codeOf(authorize({ nonce, ...body }))).to.equal('ok');
    expect(await codeOf(authorize({ nonce, ...body }, foreigner))).to.equal('not_found');
  });

  it('are made by public applications alone, and authorized by private ones', async () => {
    const session = await authorized({ permissions: ['token:create', 'token:use'] });
    const managing = await fixture.publisher.application({ tenantId: fixture.tenantId, type: 'management' });
    for (const other of [fixture.owner, managing, session]) {
      expect(await codeOf(create(other))).to.equal('permission_denied');
    }
    for (const other of [maker, managing, session]) {
      const { nonce } = await create();
      expect(await codeOf(authorize({ nonce, permissions: ['token:use'] }, other))).to.equal(
        'permission_denied',
      );
    }
  });

  it('cannot be granted more than the application holds', async () => {
    const granter = await fixture.application(
      ['token:create'],
      [{ ...read('/pci/', 'mask'), conditions: [] }],
    );
    const { nonce } = await create();
    const failure = await failureOf(
      authorize(
        {
          nonce,
          permissions: ['token:create', 'token:delete'],
          rules: [
            { ...read('/pci/high/', 'mask'), permissions: ['token:read'] },
            { ...read('/pci/', 'reveal'), permissions: ['token:read'], priority: 2 },
            { ...read('/', 'redact'), permissions: ['token:search'], priority: 3 },
          ],
        },
        granter,
      ),
    );
    expect(failure.code).to.equal('permission_denied');
    expect(Object.keys(failure.errors)).to.have.members([
      'permissions',
      'rules[1].permissions',
      'rules[2].permissions',
    ]);
    const part = { nonce, rules: [{ ...read('/pci/high/', 'mask'), permissions: ['token:read'] }] };
    expect(await codeOf(authorize(part, granter))).to.equal('ok');
  });

  it('end at the moment at which they expire, wherever they are remembered', async () => {
    const expiresAt = Date.now() + 3000;
    const session = await authorized({
      permissions: ['token:use'],
      expires_at: new Date(expiresAt).toISOString(),
    });
    const id = await fixture.token(1);
    expect(await fixture.gateway.use(session, [id])).to.deep.equal([1]);
    let askedAt = Date.now();
    while ((await codeOf(fixture.gateway.use(session, [id]))) === 'ok') {
      expect(askedAt).to.be.below(expiresAt);
      askedAt = Date.now();
    }
    expect(Date.now()).to.be.at.least(expiresAt);
    expect(await codeOf(fixture.gateway.use(session, [id]))).to.equal('unauthenticated');
  });

  it('cannot be authorized after their time is over', async () => {
    await using short = await fixture.anotherVault({ SESSION_LIFETIME_MS: '1' });
    const { nonce } = await short.gateway.createSession(maker);
    expect(await codeOf(authorize({ nonce, permissions: ['token:use'] }))).to.equal('not_found');
  });

  it('end with the application that made them, and with the one that authorized them', async () => {
    for (const ended of ['maker', 'granter'] as const) {
      const applications = {
        maker: await publicApplication(),
        granter: await fixture.application(['token:use']),
      };
      const session = await create(applications.maker);
      await authorize({ nonce: session.nonce, permissions: ['token:use'] }, applications.granter);
      const id = await fixture.token(1);
      expect(await fixture.gateway.use(as(session), [id])).to.deep.equal([1]);
      await fixture.publisher.remove(applications[ended]);
      while ((await codeOf(fixture.gateway.use(as(session), [id]))) === 'ok');
      expect(await codeOf(fixture.gateway.use(as(session), [id]))).to.equal('unauthenticated');
    }
  });

  it('wait in limited number for each application', async () => {
    const eager = await publicApplication();
    const sessions = await Promise.all(Array.from({ length: 50 }, () => create(eager)));
    expect(await codeOf(create(eager))).to.equal('rate_limited');
    expect(await codeOf(create())).to.equal('ok');
    await authorize({ nonce: sessions[0]?.nonce, permissions: ['token:use'] });
    expect(await codeOf(create(eager))).to.equal('ok');
    expect(await codeOf(create(eager))).to.equal('rate_limited');
  });

  it('are limited in number for each tenant, and in what the rules of one may take', async () => {
    await using small = await fixture.anotherVault({ MAX_LIVE_SESSIONS: '3' });
    const tenantId = await fixture.publisher.tenant();
    const [by, other] = [await publicApplication(tenantId), await publicApplication(tenantId)];
    const granter = await fixture.publisher.application({ tenantId, permissions: ['token:use'] });
    const make = async (application: TestApplication) =>
      (await small.gateway.createSession(application)).nonce;
    const nonces = [await make(by), await make(other), await make(by)];
    expect(await codeOf(make(other))).to.equal('rate_limited');
    const soon = new Date(Date.now() + 2000).toISOString();
    await authorize({ nonce: nonces[0], permissions: ['token:use'], expires_at: soon }, granter);
    expect(await codeOf(make(by))).to.equal('rate_limited');
    while ((await codeOf(make(by))) !== 'ok') expect(Date.now()).to.be.below(Date.parse(soon) + 20_000);
    const rules = Array.from({ length: 50 }, (_, at) => ({
      priority: at + 1,
      description: 'x'.repeat(400),
      container: '/',
      transform: 'reveal',
      permissions: ['token:use'],
    }));
    expect(
      Object.keys((await failureOf(authorize({ nonce: nonces[1], rules }, granter))).errors),
    ).to.deep.equal(['rules']);
  });

  it('name everything that is wrong with a request at once', async () => {
    const paths = async (body: unknown) => Object.keys((await failureOf(authorize(body))).errors);
    expect(await paths({})).to.deep.equal(['nonce']);
    expect(await paths({ nonce: 'x' })).to.deep.equal(['permissions']);
    expect(await paths({ nonce: 'x', permissions: [], rules: [] })).to.deep.equal(['permissions']);
    expect(
      await paths({
        nonce: 5,
        permissions: ['proxy:read', 'token:none'],
        rules: [
          { priority: 0, container: '/a/', conditions: [{}], transform: 'show', permissions: ['log:read'] },
        ],
        expires_at: 'soon',
      }),
    ).to.have.members([
      'nonce',
      'permissions[0]',
      'permissions[1]',
      'rules[0].priority',
      'rules[0].conditions',
      'rules[0].conditions[0].attribute',
      'rules[0].conditions[0].operator',
      'rules[0].conditions[0].value',
      'rules[0].transform',
      'rules[0].permissions[0]',
      'expires_at',
    ]);
    const [past, far] = [Date.now() - 1000, Date.now() + 25 * 60 * 60_000].map((at) =>
      new Date(at).toISOString(),
    );
    for (const expires_at of [past, far]) {
      expect(await paths({ nonce: 'x', permissions: ['token:use'], expires_at })).to.deep.equal([
        'expires_at',
      ]);
    }
    for (const text of ['', '[]', 'null', '{"a":', '\u0000', '"x"']) {
      const value = { body: Buffer.from(text) };
      const attempt = fixture.gateway.call(fixture.owner.key, { $case: 'authorizeSession', value });
      expect((await failureOf(attempt)).code, text).to.equal('invalid_argument');
    }
  });

  it('are recorded: who made one, who authorized it, and who was refused', async () => {
    const [by, granter] = [await publicApplication(), await fixture.application(['token:use'])];
    const session = await create(by);
    await authorize({ nonce: session.nonce, permissions: ['token:use'] }, granter);
    await failureOf(authorize({ nonce: session.nonce, permissions: ['token:delete'] }, granter));
    await failureOf(authorize({ nonce: session.nonce, permissions: ['token:use'] }, by));
    await fixture.gateway.use(as(session), [await fixture.token(1)]);
    const [made, refused] = await fixture.audit(by);
    const [granted, excess] = await fixture.audit(granter);
    const told = { purpose: 'session', tenant_id: fixture.tenantId, token_id: null };
    expect(made).to.include({ ...told, operation: 'create_session', outcome: 'allowed' });
    expect(granted).to.include({ ...told, operation: 'authorize_session', purpose_id: made?.purpose_id });
    expect(excess).to.include({
      operation: 'authorize_session',
      outcome: 'denied',
      reason: 'more_than_held',
    });
    expect(refused).to.include({ operation: 'authorize_session', outcome: 'denied', reason: 'wrong_type' });
    const used = await fixture.sql<{ operation: string }>(
      'SELECT operation FROM audit WHERE application_id = $1',
      [made?.purpose_id],
    );
    expect(used).to.deep.equal([{ operation: 'use' }]);
  });

  it('leave neither key nor nonce in Redis, and end when it is flushed', async () => {
    const session = await create();
    await authorize({ nonce: session.nonce, permissions: ['token:use'] });
    const redis = createRedis({
      url: new Secret((await sharedRedis()).url),
      connectionName: 'test',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
    await new Promise((resolve) => redis.once('ready', resolve));
    const keys = await redis.keys(`${fixture.publisher.prefix}:session*`);
    const dumps = await Promise.all(
      keys.map(async (key) => `${key} ${(await redis.dumpBuffer(key))?.toString('latin1')}`),
    );
    expect(dumps.some((text) => text.includes(hashKey(session.session_key)))).to.equal(true);
    for (const text of dumps) {
      expect(text).to.not.include(session.session_key);
      expect(text).to.not.include(session.nonce);
    }
    for (const key of keys) expect(await redis.pttl(key), key).to.be.within(1, 180_000);
    await redis.del(...keys);
    await redis.publish(redisNames(fixture.publisher.prefix).changes, '*');
    while ((await codeOf(fixture.gateway.use(as(session), ['x']))) !== 'unauthenticated');
    expect(await codeOf(authorize({ nonce: session.nonce, permissions: ['token:use'] }))).to.equal(
      'not_found',
    );
    await redis.quit();
  });
});
