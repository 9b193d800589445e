import { hashKey } from '@glovebox/access/api-key';
import { Secret } from '@glovebox/platform/values/secret';
import { applicationRecord, proxyRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import type { OnCheckpoint } from '../src/publication/checkpoints.ts';
import { type TestApi, recordsOfNewTenant, recordsOfProxy, send, startTestApi } from './harness/api.ts';
import { type Cable, layCable } from './harness/cable.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';
import { untilWhole } from './harness/whole.ts';

const body = { name: 'p', destination_url: 'https://example.com' };

describe('publication', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;
  let redis: Cable;
  let postgres: Cable;
  let onCheckpoint: OnCheckpoint = () => undefined;

  beforeEach(async () => {
    const config = await newInstallation();
    [redis, postgres] = await Promise.all([
      layCable(config.redisUrl.reveal()),
      layCable(config.databaseUrl.reveal()),
    ]);
    onCheckpoint = () => undefined;
    api = await startTestApi(
      { sealer: reversingSealer, onCheckpoint: (step) => onCheckpoint(step) },
      { ...config, redisUrl: new Secret(redis.url), databaseUrl: new Secret(postgres.url) },
    );
    eyes = await openEyes(config);
    await until(20_000, async () => expect((await ready()).status).to.equal(200));
  });

  afterEach(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
    await Promise.all([redis[Symbol.asyncDispose](), postgres[Symbol.asyncDispose]()]);
  });

  const create = () => api.send('POST /proxies', { body });
  const count = async () => (await api.send('GET /proxies')).body.pagination.total_items;
  const ready = () => fetch(`http://127.0.0.1:${api.service.metricsPort}/readyz`);
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${api.service.metricsPort}/metrics`)).text();
    return Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  it('while Redis is away changes answer 503 and write nothing; reading goes on; it recovers by itself', async () => {
    const { id } = (await create()).body;
    redis.cut();
    for (const request of ['POST /proxies', `PUT /proxies/${id}`]) {
      const answer = await api.send(request, { body: { ...body, name: 'lost' } });
      expect(answer.status).to.equal(503);
      expect(answer.headers.get('retry-after')).to.equal('1');
      expect(answer.body.detail).to.equal('The store of published records cannot be reached.');
    }
    expect((await api.send(`DELETE /proxies/${id}`)).status).to.equal(503);
    expect((await api.send(`GET /proxies/${id}`)).body.name).to.equal('p');
    expect(await count()).to.equal(1);
    await until(20_000, async () => expect((await ready()).status).to.equal(503));
    redis.mend();
    await until(20_000, async () => expect((await create()).status).to.equal(201));
    await until(20_000, async () => expect((await ready()).status).to.equal(200));
  });

  it('when Redis is lost between commit and publication: 503 that says so, published as soon as it is back', async () => {
    onCheckpoint = (step) => step === 'committed' && redis.cut();
    const answer = await create();
    onCheckpoint = () => undefined;
    expect(answer.status).to.equal(503);
    expect(answer.body.detail).to.match(/^The change is stored/);
    expect(await count()).to.equal(1);
    expect((await eyes.see()).records.size).to.equal(recordsOfNewTenant);
    await until(20_000, async () => expect(await metric('glovebox_outbox_entries')).to.equal(1));
    redis.mend();
    await untilWhole(api.config, eyes);
    expect((await eyes.see()).records.size).to.equal(recordsOfNewTenant + recordsOfProxy);
  });

  it('an application that could not be published has no effect: a retry makes one, and its key is the only one', async () => {
    const application = { name: 'a', type: 'private', permissions: ['token:use'] };
    const listed = async () => (await api.send('GET /applications')).body.data.map(({ name }) => name);
    const before = await listed();
    onCheckpoint = (step) => step === 'committed' && redis.cut();
    const answer = await api.send('POST /applications', { body: application });
    onCheckpoint = () => undefined;
    expect(answer.status).to.equal(503);
    expect(answer.body.detail).to.match(/was not created/);
    expect(await listed()).to.deep.equal(before);
    redis.mend();
    await until(20_000, async () => {
      expect((await api.send('POST /applications', { body: application })).status).to.equal(201);
    });
    expect(await listed()).to.have.members([...before, 'a']);
    await untilWhole(api.config, eyes);
    expect((await eyes.see()).records.size).to.equal(recordsOfNewTenant + 2);
  });

  it('a key that could not be published dies with those before it: a retry makes one more', async () => {
    const { privateKey } = api.tenant;
    const { id } = (await api.send('GET /applications/key', { key: privateKey })).body;
    onCheckpoint = (step) => step === 'committed' && redis.cut();
    const answer = await api.send(`POST /applications/${id}/regenerate`);
    onCheckpoint = () => undefined;
    expect(answer.status).to.equal(503);
    expect(answer.body.detail).to.match(/revoked.*Repeat the request/);
    redis.mend();
    const { key } = await until(20_000, async () => {
      const again = await api.send(`POST /applications/${id}/regenerate`);
      expect(again.status).to.equal(200);
      return again.body;
    });
    await untilWhole(api.config, eyes);
    expect((await eyes.find(applicationRecord(hashKey(key))))?.record?.$case).to.equal('application');
    expect((await eyes.find(applicationRecord(hashKey(privateKey))))?.record?.$case).to.equal('tombstone');
    expect((await eyes.see()).records.size).to.equal(recordsOfNewTenant);
  });

  it('a further key that could not be published does not work, and earlier ones do', async () => {
    const { privateKey } = api.tenant;
    const { id } = (await api.send('GET /applications/key', { key: privateKey })).body;
    onCheckpoint = (step) => step === 'committed' && redis.cut();
    const answer = await api.send(`POST /applications/${id}/keys`);
    onCheckpoint = () => undefined;
    expect(answer.status).to.equal(503);
    expect(answer.body.detail).to.equal('The key could not be published, so it was not created.');
    expect(JSON.parse((await api.send(`GET /applications/${id}/keys`)).text)).to.have.length(1);
    redis.mend();
    const { key } = await until(20_000, async () => {
      const again = await api.send(`POST /applications/${id}/keys`);
      expect(again.status).to.equal(201);
      return again.body;
    });
    await untilWhole(api.config, eyes);
    for (const one of [privateKey, key]) {
      expect((await eyes.find(applicationRecord(hashKey(one))))?.record?.$case).to.equal('application');
    }
    expect((await eyes.see()).records.size).to.equal(recordsOfNewTenant + 1);
  });

  it('while Postgres is away everything answers 503, never 500; it recovers by itself', async () => {
    postgres.cut();
    for (const request of ['GET /proxies', 'POST /proxies', 'DELETE /tenants/self']) {
      const answer = await api.send(request, request.startsWith('POST') ? { body } : {});
      expect(answer.status).to.equal(503);
      expect(answer.body.detail).to.equal('The database cannot be reached.');
    }
    expect((await ready()).status).to.equal(503);
    postgres.mend();
    await until(20_000, async () => expect((await create()).status).to.equal(201));
    await untilWhole(api.config, eyes);
  });

  it('each of 60 changes at once is published by the time of its answer, in fewer turns than changes', async () => {
    let turns = 0;
    onCheckpoint = (step) => {
      if (step === 'round-committed') turns += 1;
    };
    await Promise.all(
      Array.from({ length: 60 }, async () => {
        const answer = await create();
        expect(answer.status).to.equal(201);
        const record = await eyes.find(proxyRecord(hashKey(answer.body.key)));
        expect(record?.record?.$case).to.equal('proxy');
      }),
    );
    expect(turns).to.be.lessThan(60);
    await untilWhole(api.config, eyes);
  });

  it('two processes that publish at once, on the same rows too, agree with the database in the end', async () => {
    await using other = await startTestApi({ sealer: reversingSealer }, api.config);
    const key = api.tenant.managementKey;
    const { id, key: proxyKey } = (await create()).body;
    const bases = [api.base, other.base];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const base = bases[i % 2] ?? '';
        return i % 4 === 0
          ? send(base, key, 'POST /proxies', { body })
          : send(base, key, `PUT /proxies/${id}`, { body: { ...body, name: `n${i}` } });
      }),
    );
    for (const { status } of answers) expect(status).to.be.oneOf([200, 201]);
    expect((await eyes.find(proxyRecord(hashKey(proxyKey))))?.version).to.equal(31);
    await untilWhole(api.config, eyes);
  });

  it('what another process left in the outbox is published without anyone asking', async () => {
    const [row] = await inDatabase<{ id: string }>(
      api.config.databaseUrl.reveal(),
      `INSERT INTO outbox (record_names, record_values)
       VALUES ('{proxy:left}', ARRAY['\\x313a0801'::bytea || '\\x2a00'::bytea]) RETURNING id`,
    );
    expect(row).to.include.keys('id');
    await until(20_000, async () => expect((await eyes.see()).tombstones).to.deep.equal(['proxy:left']));
  });

  it('a stop lets the running request finish and leaves nothing behind', async () => {
    let stopped: Promise<void> | undefined;
    onCheckpoint = (step) => {
      if (step === 'appended') stopped ??= Promise.resolve(api.service[Symbol.asyncDispose]());
    };
    const answer = await create();
    expect(answer.status).to.equal(201);
    const answeredAt = Date.now();
    await stopped;
    expect(Date.now() - answeredAt).to.be.lessThan(api.config.shutdownTimeoutMs);
    await create().then(
      () => expect.fail('it still listens'),
      () => undefined,
    );
  });
});
