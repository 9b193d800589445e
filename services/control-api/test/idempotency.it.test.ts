import { purgeRecords } from '@glovebox/platform/db/idempotent-transaction';
import { createPostgres } from '@glovebox/platform/db/postgres';
import { expect } from 'chai';

import type { Checkpoint } from '../src/publication/checkpoints.ts';
import { type Answer, type Sent, type TestApi, newTenant, send, startTestApi } from './harness/api.ts';
import { startMortalApi } from './harness/mortal.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';

const proxy = { name: 'a', destination_url: 'https://example.com' };
const application = { name: 'a', type: 'private', permissions: ['token:use'] };
const keyed = (key: string, more: Sent = {}): Sent => ({ ...more, headers: { 'SVC-IDEMPOTENCY-KEY': key } });
const isReplay = (answer: Answer) => answer.headers.get('svc-idempotent-replay') === 'true';

describe('a management request with an idempotency key', () => {
  let api: TestApi;
  let now: number;
  /** The vault's answers are held back while this is set, those for this tenant alone if it is named. */
  let held: Promise<void> | undefined;
  let heldTenant: string | undefined;
  let sealed: number;

  before(async () => {
    api = await startTestApi({
      clock: () => now,
      sealer: {
        ...reversingSealer,
        seal: async (secrets, correlationId) => {
          sealed += 1;
          if ([undefined, secrets[0]?.place.tenantId].includes(heldTenant)) await held;
          return reversingSealer.seal(secrets, correlationId);
        },
      },
    });
  });
  beforeEach(() => {
    now = Date.now();
    held = undefined;
    heldTenant = undefined;
    sealed = 0;
  });
  after(() => api[Symbol.asyncDispose]());

  const count = async (path: string) => (await api.send(`GET ${path}`)).body.pagination.total_items;

  it('is done once, and its answer is given again, marked so, to the same key', async () => {
    const before = await count('/applications');
    const first = await api.send('POST /applications', keyed('one', { body: application }));
    const second = await api.send('POST /applications/', keyed('one', { body: application }));
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect([isReplay(first), isReplay(second)]).to.deep.equal([false, true]);
    expect(second.text).to.equal(first.text);
    expect(second.body.key).to.match(/^key_/);
    expect(second.headers.get('location')).to.equal(first.headers.get('location'));
    expect(await count('/applications')).to.equal(before + 1);
  });

  it('is answered as before even when its body is another', async () => {
    const first = await api.send('POST /proxies', keyed('another body', { body: proxy }));
    const second = await api.send(
      'POST /proxies',
      keyed('another body', { body: { ...proxy, name: 'other' } }),
    );
    expect(second.text).to.equal(first.text);
  });

  it('is done anew after it failed', async () => {
    const refused = await api.send('POST /proxies', keyed('failed', { body: { name: 'a' } }));
    const done = await api.send('POST /proxies', keyed('failed', { body: proxy }));
    expect([refused.status, done.status, isReplay(done)]).to.deep.equal([400, 201, false]);
  });

  it('is refused with 409 while another with the key is being processed', async () => {
    const gate = Promise.withResolvers<void>();
    held = gate.promise;
    const first = api.send('POST /proxies', keyed('at once', { body: proxy }));
    await until(20_000, () => expect(sealed).to.equal(1));
    const second = await api.send('POST /proxies', keyed('at once', { body: proxy }));
    gate.resolve();
    expect([(await first).status, second.status]).to.deep.equal([201, 409]);
    expect(isReplay(await api.send('POST /proxies', keyed('at once', { body: proxy })))).to.equal(true);
  });

  it('is not kept waiting by however many of another tenant', async () => {
    const other = await api.newTenant();
    const gate = Promise.withResolvers<void>();
    [held, heldTenant] = [gate.promise, api.tenant.id];
    const waiting = Array.from({ length: 30 }, (_, n) =>
      api.send('POST /proxies', keyed(`many ${n}`, { body: proxy })),
    );
    await until(20_000, () => expect(sealed).to.be.at.least(2));
    const own = await api.send('POST /proxies', keyed('another', { body: proxy, key: other.managementKey }));
    gate.resolve();
    expect(own.status).to.equal(201);
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).to.deep.equal(new Set([201]));
  });

  it('is refused with 400 when the key is empty, too long, or not printable', async () => {
    for (const key of ['', 'x'.repeat(256), 'ä']) {
      const answer = await api.send('POST /proxies', keyed(key, { body: proxy }));
      expect([answer.status, Object.keys(answer.body.errors)]).to.deep.equal([400, ['SVC-IDEMPOTENCY-KEY']]);
    }
    expect((await api.send('POST /proxies', keyed('x'.repeat(255), { body: proxy }))).status).to.equal(201);
  });

  it('is done anew when 24 hours have passed', async () => {
    const first = await api.send('POST /proxies', keyed('old', { body: proxy }));
    now += 86_399_000;
    expect((await api.send('POST /proxies', keyed('old', { body: proxy }))).text).to.equal(first.text);
    now += 1000;
    const anew = await api.send('POST /proxies', keyed('old', { body: proxy }));
    expect([isReplay(anew), anew.body.id === first.body.id]).to.deep.equal([false, false]);
    expect((await api.send('POST /proxies', keyed('old', { body: proxy }))).body.id).to.equal(anew.body.id);
  });

  it('is another request of another tenant, application, method or path', async () => {
    const other = await api.newTenant();
    const body = { ...application, type: 'management', permissions: ['proxy:create', 'proxy:update'] };
    const { key } = (await api.send('POST /applications', { body })).body;
    const made = [
      await api.send('POST /proxies', keyed('scope', { body: proxy })),
      await api.send('POST /proxies', keyed('scope', { body: proxy, key })),
      await api.send('POST /proxies', keyed('scope', { body: proxy, key: other.managementKey })),
      await api.send('POST /applications', keyed('scope', { body: application })),
    ];
    const [first] = made;
    made.push(await api.send(`PUT /proxies/${first?.body.id}`, keyed('scope', { body: proxy })));
    expect(made.map((answer) => [answer.status < 300, isReplay(answer)])).to.deep.equal(
      made.map(() => [true, false]),
    );
  });

  it('has its key looked at only where something is made or changed', async () => {
    const { id } = (await api.send('POST /proxies', { body: proxy })).body;
    expect((await api.send(`GET /proxies/${id}`, keyed(''))).status).to.equal(200);
    expect((await api.send(`DELETE /proxies/${id}`, keyed('gone'))).status).to.equal(204);
    expect((await api.send(`DELETE /proxies/${id}`, keyed('gone'))).status).to.equal(404);
  });

  it('makes a new key once, however often a regeneration is sent again', async () => {
    const { id } = (await api.send('POST /applications', { body: application })).body;
    const first = await api.send(`POST /applications/${id}/regenerate`, keyed('regenerate'));
    const second = await api.send(`POST /applications/${id}/regenerate`, keyed('regenerate'));
    expect(second.body.key).to.equal(first.body.key);
    expect((await api.send('GET /applications/key', { key: second.body.key })).body.id).to.equal(id);
  });

  it('makes a formula once: what is not published is kept with its answer too', async () => {
    const body = { name: 'f', type: 'private', code: 'module.exports = async () => ({ raw: {} })' };
    const first = await api.send('POST /reactor-formulas', keyed('formula', { body }));
    expect(first.status, first.text).to.equal(201);
    const second = await api.send('POST /reactor-formulas', keyed('formula', { body }));
    expect(second.body.id).to.equal(first.body.id);
  });

  it('adds a key, patches and updates once, with or without a body in the answer', async () => {
    const { id } = (await api.send('POST /applications', { body: application })).body;
    const added = await api.send(`POST /applications/${id}/keys`, keyed('add'));
    expect(added.status, added.text).to.equal(201);
    expect((await api.send(`POST /applications/${id}/keys`, keyed('add'))).text).to.equal(added.text);

    const made = (await api.send('POST /proxies', { body: proxy })).body;
    const headers = { 'Content-Type': 'application/merge-patch+json', 'SVC-IDEMPOTENCY-KEY': 'patch' };
    const patch = (name: string) => api.send(`PATCH /proxies/${made.id}`, { headers, body: { name } });
    const patched = await patch('first');
    expect([patched.status, patched.text]).to.deep.equal([204, '']);
    const again = await patch('second');
    expect([again.status, again.text, isReplay(again)]).to.deep.equal([204, '', true]);
    expect((await api.send(`GET /proxies/${made.id}`)).body.name).to.equal('first');

    const renamed = await api.send('PUT /tenants/self', keyed('tenant', { body: { name: 'one' } }));
    await api.send('PUT /tenants/self', { body: { name: 'two' } });
    const replayed = await api.send('PUT /tenants/self', keyed('tenant', { body: { name: 'one' } }));
    expect(replayed.text).to.equal(renamed.text);
    expect((await api.send('GET /tenants/self')).body.name).to.equal('two');
  });

  it('leaves no readable answer in the database, and none at all after its time', async () => {
    const { body } = await api.send('POST /applications', keyed('secret-key', { body: application }));
    const url = api.config.databaseUrl.reveal();
    const rows = await inDatabase<{ row: string }>(
      url,
      "SELECT encode(scope, 'escape') || encode(answer, 'escape') AS row FROM idempotency_record",
    );
    expect(rows).not.to.have.length(0);
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).not.to.contain(body.key).and.not.to.contain('secret-key');

    await using postgres = createPostgres({
      url: api.config.databaseUrl,
      maxConnections: 1,
      statementTimeoutMs: 5000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
    expect(await purgeRecords(postgres.acrossTenants('test'), now - 86_400_000)).to.equal(0);
    expect(await purgeRecords(postgres.acrossTenants('test'), now + 3 * 86_400_000)).to.equal(rows.length);
  });
});

describe('a management request whose answer is too large to be kept', () => {
  it('is done once all the same, and the second response says why it has no answer', async () => {
    const config = await newInstallation();
    const small = { ...config, idempotency: { ...config.idempotency, maxAnswerBytes: 1024 } };
    await using api = await startTestApi({ sealer: reversingSealer }, small);
    const body = { ...proxy, configuration: { long: 'x'.repeat(2000) } };
    expect((await api.send('POST /proxies', keyed('large', { body }))).status).to.equal(201);
    const second = await api.send('POST /proxies', keyed('large', { body }));
    expect([second.status, second.body.detail]).to.deep.equal([
      409,
      'The request with this idempotency key has succeeded before. Its answer was too large to be kept.',
    ]);
    expect((await api.send('GET /proxies')).body.data).to.have.length(1);
  });
});

describe('a management request with an idempotency key, when its service is killed', () => {
  const deaths: readonly Checkpoint[] = [
    'appended',
    'answer-sealed',
    'committed',
    'fencing-token-set',
    'entries-deleted',
  ];
  for (const step of deaths) {
    it(`at ${step}: the retry makes one application, and gives its key`, async () => {
      const config = await newInstallation();
      const { managementKey } = await newTenant(config);
      const create = (base: string) =>
        send(base, managementKey, 'POST /applications', keyed('create', { body: application }));
      {
        await using mortal = await startMortalApi(config);
        mortal.dieAt(step, 1);
        expect(await create(mortal.base).catch(() => 'no answer')).to.equal('no answer');
        await mortal.dead;
      }
      await using next = await startTestApi({ sealer: reversingSealer }, config);
      const retried = await create(next.base);
      expect(retried.status, retried.text).to.equal(201);
      expect((await create(next.base)).text).to.equal(retried.text);
      const named = (await next.send('GET /applications', { key: managementKey })).body.data.filter(
        ({ name }) => name === application.name,
      );
      expect(named.map(({ id }) => id)).to.deep.equal([retried.body.id]);
      const own = await next.send('GET /applications/key', { key: retried.body.key });
      expect(own.body.id).to.equal(retried.body.id);
    });
  }
});
