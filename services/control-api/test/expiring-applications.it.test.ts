import { hashKey } from '@glovebox/access/api-key';
import { applicationIdRecord, applicationRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Answer, type Body, type TestApi, newTenant, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import type { Logs } from './harness/logs.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';

const rule = {
  priority: 1,
  conditions: [{ attribute: 'container', operator: 'starts_with', value: '/pci/' }],
  transform: 'mask',
  permissions: ['token:read'],
};
const expiring = { name: 'for one visitor', type: 'expiring', permissions: [], rules: [rule] };
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const hour = 3_600_000;

describe('expiring applications', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;

  before(async () => {
    const config = await newInstallation();
    api = await startTestApi(undefined, {
      ...config,
      logRetention: { days: 0, intervalMs: 50 },
      expiring: { perCreator: 5, rulesLength: 1000 },
    });
    eyes = await openEyes(api.config);
  });

  after(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  const create = async (body: object, key?: string): Promise<Body & { expires_at: string }> => {
    const answer = await api.send('POST /applications', key === undefined ? { body } : { body, key });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as Body & { expires_at: string };
  };
  const attempt = (body: object, key: string): Promise<Answer> =>
    api.send('POST /applications', { body, key });
  const makerOf = (grant: object, allowed = true) =>
    create({ name: 'maker', type: 'private', can_create_expiring_applications: allowed, ...grant });
  const published = async (key: string) => (await eyes.find(applicationRecord(hashKey(key))))?.record;
  const refusedPaths = async (body: object): Promise<string[]> => {
    const answer = await api.send('POST /applications', { body: { ...expiring, ...body } });
    expectProblem(answer, 400);
    return Object.keys(answer.body.errors);
  };

  it('are made by management, end after a minute unless told otherwise, and are published with that', async () => {
    const before = Date.now();
    const made = await create(expiring);
    expect(Date.parse(made.expires_at)).to.be.within(before + 60_000, Date.now() + 60_000);
    expect(made).to.deep.include({ type: 'expiring', rules: [rule] });
    expect(made).not.to.have.property('can_create_expiring_applications');
    expect((await published(made.key))?.value).to.deep.include({
      type: 'expiring',
      expiresAt: Date.parse(made.expires_at),
      rules: [{ ...rule, container: '', destinations: undefined }],
    });
    const day = await create({ ...expiring, expires_at: inMs(24 * hour - 1000) });
    expect(Date.parse(day.expires_at) - Date.now()).to.be.greaterThan(24 * hour - 5000);
    const listed = (await api.send('GET /applications?type=expiring')).body.data;
    expect(listed.map(({ id }) => id)).to.include.members([made.id, day.id]);
    expect((await api.send(`GET /applications/${day.id}`)).body).to.deep.include({
      expires_at: day.expires_at,
    });
    await api.send(`DELETE /applications/${made.id}`);
    await api.send(`DELETE /applications/${day.id}`);
    expect((await published(made.key))?.$case).to.equal('tombstone');
  });

  it('end within a day, in the future, and hold token:read alone: 400, every problem by its path', async () => {
    expect(await refusedPaths({ expires_at: inMs(-1000) })).to.deep.equal(['expires_at']);
    expect(await refusedPaths({ expires_at: inMs(25 * hour) })).to.deep.equal(['expires_at']);
    expect(await refusedPaths({ expires_at: 'tomorrow' })).to.deep.equal(['expires_at']);
    expect(await refusedPaths({ expires_at: 5 })).to.deep.equal(['expires_at']);
    expect(await refusedPaths({ permissions: ['token:use', 'token:read'] })).to.deep.equal([
      'permissions[0]',
    ]);
    expect(await refusedPaths({ rules: [{ ...rule, permissions: ['token:create'] }] })).to.deep.equal([
      'rules[0].permissions[0]',
    ]);
    expect(await refusedPaths({ rules: [{ ...rule, container: '/' }] })).to.deep.equal([
      'rules[0].conditions',
    ]);
    expect(await refusedPaths({ rules: [] })).to.deep.equal(['permissions']);
    expect(
      await refusedPaths({ rules: [{ ...rule, conditions: Array.from({ length: 9 }, () => long) }] }),
    ).to.deep.equal(['rules']);
    expect(await refusedPaths({ can_create_expiring_applications: true })).to.deep.equal([
      'can_create_expiring_applications',
    ]);
    const lasting = { ...expiring, type: 'private', expires_at: inMs(hour) };
    const answer = await api.send('POST /applications', { body: lasting });
    expect(Object.keys(answer.body.errors)).to.have.members([
      'expires_at',
      'rules[0].conditions',
      'rules[0].container',
    ]);
  });
  const long = { attribute: 'id', operator: 'equals', value: 'x'.repeat(200) };

  it('are refused everywhere from when they expire on, and removed then, which is logged', async () => {
    const { id, key, expires_at } = await create({ ...expiring, expires_at: inMs(1000) });
    expect((await api.send('GET /applications/key', { key })).body).to.include({ id, expires_at });
    await until(20_000, async () => {
      expect((await api.send('GET /applications/key', { key })).status).to.equal(401);
    });
    expect(Date.now()).to.be.at.least(Date.parse(expires_at));
    await until(20_000, async () => {
      expect((await api.send(`GET /applications/${id}`)).status).to.equal(404);
      expect((await published(key))?.$case).to.equal('tombstone');
    });
    const { data } = (await api.send(`GET /logs?entity_type=application&entity_id=${id}`))
      .body as unknown as Logs;
    expect(data.map(({ operation, message, actor_type }) => [operation, message, actor_type])).to.deep.equal([
      ['expire', 'Application expired', 'system'],
      ['create', 'Application created', 'application'],
    ]);
  });

  it('are refused though nobody has removed them yet', async () => {
    const config = { ...api.config, logRetention: { days: 0, intervalMs: 3_600_000 } };
    await using slow = await startTestApi(undefined, { ...config, ...(await newInstallation()) });
    const body = { ...expiring, expires_at: inMs(hour) };
    const { id, key } = (await slow.send('POST /applications', { body })).body;
    expect((await slow.send('GET /permissions', { key })).status).to.equal(200);
    const url = slow.config.databaseUrl.reveal();
    await inDatabase(
      url,
      `UPDATE applications SET expires_at = now() - interval '1 second' WHERE id = '${id}'`,
    );
    expectProblem(await slow.send('GET /permissions', { key }), 401);
  });

  it('are made by a private application that may, for what it holds itself', async () => {
    const maker = await makerOf({ permissions: ['token:read', 'token:create'] });
    expect(maker).to.include({ can_create_expiring_applications: true });
    const made = await create(expiring, maker.key);
    expect(made).to.include({ type: 'expiring', created_by: maker.id });
    expect((await api.send('GET /applications/key', { key: made.key })).body.id).to.equal(made.id);
  });

  it('can be given nothing that their maker does not hold: 403, by the path of what is too much', async () => {
    const { key } = await makerOf({
      rules: [{ priority: 1, container: '/pci/', transform: 'mask', permissions: ['token:read'] }],
    });
    await create(expiring, key);
    const excess: readonly [body: object, path: string][] = [
      [{ permissions: ['token:read'] }, 'permissions'],
      [{ rules: [{ ...rule, transform: 'reveal' }] }, 'rules[0].permissions'],
      [{ rules: [{ ...rule, conditions: undefined, container: '/' }] }, 'rules[0].permissions'],
      [
        { rules: [{ ...rule, conditions: [{ attribute: 'id', operator: 'starts_with', value: 'a' }] }] },
        'rules[0].permissions',
      ],
    ];
    for (const [body, path] of excess) {
      const answer = await attempt({ ...expiring, ...body }, key);
      expectProblem(answer, 403);
      expect(Object.keys(answer.body.errors)).to.deep.equal([path]);
    }
    const without = await makerOf({ permissions: ['token:create'] });
    expectProblem(await attempt(expiring, without.key), 403);
  });

  it('are all that such an application may make, and nobody else may', async () => {
    const maker = await makerOf({ permissions: ['token:read'] });
    const other = { name: 'x', permissions: ['token:read'] };
    for (const type of ['private', 'public', 'management', undefined, 'x', null, ['expiring']]) {
      expectProblem(await attempt({ ...other, type }, maker.key), 403);
    }
    expectProblem(await api.send(`GET /applications/${maker.id}`, { key: maker.key }), 403);
    const plain = await makerOf({ permissions: ['token:read'] }, false);
    expect(plain).to.include({ can_create_expiring_applications: false });
    for (const key of [plain.key, api.tenant.privateKey, api.tenant.publicKey]) {
      expectProblem(await attempt(expiring, key), 403);
    }
    const made = await create(expiring, maker.key);
    expectProblem(await attempt(expiring, made.key), 403);
    const body = { name: 'maker', permissions: ['token:read'] };
    expect((await api.send(`PUT /applications/${maker.id}`, { body })).body).to.include({
      can_create_expiring_applications: false,
    });
    expectProblem(await attempt(expiring, maker.key), 403);
  });

  it('are of their tenant alone', async () => {
    const { managementKey: key } = await newTenant(api.config);
    const maker = await makerOf({ permissions: ['token:read'] });
    const { id } = await create(expiring, maker.key);
    expect((await api.send(`GET /applications/${id}`, { key })).status).to.equal(404);
    expect((await api.send('GET /applications?type=expiring', { key })).body.data).to.deep.equal([]);
  });

  it('keep what they were given when their maker is given less, and end with it', async () => {
    const maker = await makerOf({ permissions: ['token:read'] });
    const { id, key } = await create({ ...expiring, expires_at: inMs(hour) }, maker.key);
    const body = { name: 'maker', permissions: ['token:create'] };
    expect((await api.send(`PUT /applications/${maker.id}`, { body })).status).to.equal(200);
    expect((await api.send('GET /applications/key', { key })).status).to.equal(200);
    expect((await api.send(`DELETE /applications/${maker.id}`)).status).to.equal(204);
    expectProblem(await api.send('GET /applications/key', { key }), 401);
    expect((await eyes.find(applicationIdRecord(id)))?.record?.$case).to.equal('tombstone');
    expect((await published(key))?.$case).to.equal('tombstone');
    await until(20_000, async () => {
      expect((await api.send(`GET /applications/${id}`)).status).to.equal(404);
    });
  });

  it('never outlive a maker that is deleted at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const maker = await makerOf({ permissions: ['token:read'] });
      const [made, removed] = await Promise.all([
        attempt(expiring, maker.key),
        api.send(`DELETE /applications/${maker.id}`),
      ]);
      expect(removed.status).to.equal(204);
      expect(made.status, made.text).to.be.oneOf([201, 401]);
      if (made.status === 401) continue;
      expectProblem(await api.send('GET /applications/key', { key: made.body.key }), 401);
      expect((await published(made.body.key))?.$case).to.equal('tombstone');
    }
  });

  it('are changed but for type and expiry', async () => {
    const { id, expires_at } = await create({ ...expiring, expires_at: inMs(hour) });
    const body = {
      name: 'changed',
      type: 'private',
      permissions: ['token:read'],
      expires_at: inMs(2 * hour),
    };
    const changed = await api.send(`PUT /applications/${id}`, { body });
    expect(changed.body).to.deep.include({ name: 'changed', type: 'expiring', rules: [], expires_at });
    expectProblem(
      await api.send(`PUT /applications/${id}`, { body: { name: 'x', permissions: ['token:use'] } }),
      400,
    );
    const { key } = (await api.send(`POST /applications/${id}/regenerate`)).body;
    expect((await api.send('GET /applications/key', { key })).body).to.include({ expires_at });
    await api.send(`DELETE /applications/${id}`);
  });

  it('are limited in number for each that makes them', async () => {
    const maker = await makerOf({ permissions: ['token:read'] });
    for (let made = 0; made < 5; made += 1) await create(expiring, maker.key);
    expectProblem(await attempt(expiring, maker.key), 429);
    const another = await makerOf({ permissions: ['token:read'] });
    await create(expiring, another.key);
  });

  it('act for no proxy', async () => {
    const { id } = await create(expiring);
    const body = { name: 'p', destination_url: 'https://example.com', application: { id } };
    const answer = await api.send('POST /proxies', { body });
    expectProblem(answer, 400);
    expect(Object.keys(answer.body.errors)).to.deep.equal(['application.id']);
  });
});
