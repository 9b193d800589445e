import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

import { hashKey } from '@glovebox/access/api-key';
import { proxyRecord, redisNames } from '@glovebox/published/keys';
import { encodeMarker } from '@glovebox/published/marker';
import { expect } from 'chai';

import { type TestApi, recordsOfNewTenant, recordsOfProxy, startTestApi } from './harness/api.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { inDatabase } from './harness/stores.ts';
import { until } from './harness/until.ts';
import { untilWhole } from './harness/whole.ts';

const body = { name: 'p', destination_url: 'https://example.com' };

describe('the projection is rebuilt by itself', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;
  let marker: string;

  beforeEach(async () => {
    api = await startTestApi();
    eyes = await openEyes(api.config);
    marker = redisNames(api.config.redisPrefix).marker;
    await api.send('POST /proxies', { body: { ...body, configuration: { a: 'b' } } });
    await untilWhole(api.config, eyes);
  });

  afterEach(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  const setMarker = (installationId: string, lastEntry: number) =>
    eyes.command('SET', marker, encodeMarker({ installationId, lastEntry }));

  it('after FLUSHALL', async () => {
    await eyes.command('FLUSHALL');
    await untilWhole(api.config, eyes);
  });

  it('after FLUSHALL, with every key of an application and reactors with code of their own', async () => {
    const { id } = (await api.send('GET /applications/key', { key: api.tenant.privateKey })).body;
    await api.send(`POST /applications/${id}/keys`);
    await api.send('POST /applications', {
      body: { name: 'keyless', type: 'private', permissions: ['token:use'], create_key: false },
    });
    const own = { name: 'own', code: 'module.exports = () => 1' };
    // The runner may still be making itself ready.
    await until(20_000, async () => {
      const made = await api.send('POST /reactors', { body: own });
      expect(made.status, made.text).to.equal(201);
    });
    const before = (await eyes.see()).records;
    expect(before.size).to.equal(recordsOfNewTenant + recordsOfProxy + 3);
    await eyes.command('FLUSHALL');
    await untilWhole(api.config, eyes);
    expect((await eyes.see()).records).to.deep.equal(before);
  });

  it('after FLUSHALL by a start, with nobody there before', async () => {
    await api[Symbol.asyncDispose]();
    await eyes.command('FLUSHALL');
    await using next = await startTestApi({ sealer: reversingSealer }, api.config);
    await untilWhole(next.config, eyes);
  });

  it('after FLUSHALL between two changes: the next change answers with the whole projection in place', async () => {
    await eyes.command('FLUSHALL');
    const answer = await api.send('POST /proxies', { body });
    expect(answer.status).to.equal(201);
    expect((await eyes.see()).records.size).to.equal(recordsOfNewTenant + 2 * recordsOfProxy);
    await untilWhole(api.config, eyes);
  });

  it('when Redis came back older than what was published, before the next change hides it', async () => {
    const { key } = (await api.send('POST /proxies', { body })).body;
    const { marker: before } = await eyes.see();
    const { installationId = '', lastEntry = 0 } = before ?? {};
    await eyes.command('DEL', redisNames(api.config.redisPrefix).record(proxyRecord(hashKey(key))));
    await setMarker(installationId, lastEntry - 1);
    expect((await api.send('POST /proxies', { body })).status).to.equal(201);
    expect(await eyes.find(proxyRecord(hashKey(key)))).not.to.equal(undefined);
    await untilWhole(api.config, eyes);
  });

  it('when it belongs to another installation, whose records go', async () => {
    const foreign = redisNames(api.config.redisPrefix).record('proxy:foreign');
    await eyes.command('SET', foreign, Buffer.from([0x39, 0x3a, 0x08, 0x09, 0x2a, 0x00]));
    await setMarker(randomUUID(), 1_000_000);
    await untilWhole(api.config, eyes);
    expect(await eyes.command('EXISTS', foreign)).to.equal(0);
  });

  it('when the database was restored from a backup: newer records of a lost future go', async () => {
    const { marker: before } = await eyes.see();
    const { id, key } = (await api.send('POST /proxies', { body })).body;
    await api.send(`PUT /proxies/${id}`, { body: { ...body, name: 'future' } });
    const url = api.config.databaseUrl.reveal();
    await inDatabase(url, `UPDATE proxies SET version = 1, name = 'past' WHERE id = $1`, [id]);
    await inDatabase(url, 'UPDATE installation SET last_published = $1', [before?.lastEntry]);
    await untilWhole(api.config, eyes);
    expect((await eyes.find(proxyRecord(hashKey(key))))?.record?.value).to.include({ name: 'past' });
  });

  it('and an unreadable marker is no marker', async () => {
    await eyes.command('SET', marker, 'x');
    await untilWhole(api.config, eyes);
  });

  it('within 5 s with 20 000 proxies, or in proportion to what it takes to read and sign them, while changes go on', async function () {
    this.timeout(120_000);
    const url = api.config.databaseUrl.reveal();
    await inDatabase(
      url,
      `INSERT INTO proxies (id, tenant_id, name, key_hash, sealed_key, destination_url, request_transform_code,
         sealed_configuration, require_auth, version, created_by, created_at, modified_by, modified_at)
       SELECT gen_random_uuid(), tenant_id, 'many', md5(i::text) || md5(i::text), sealed_key, destination_url,
              repeat('x', 500), sealed_configuration, true, 1, created_by, created_at, modified_by, modified_at
         FROM proxies, generate_series(1, 20000) i`,
    );
    await eyes.command('FLUSHALL');
    const flushedAt = Date.now();
    const isMarked = async () => expect(await eyes.command('GET', marker)).not.to.equal(null);
    const marked = until(60_000, isMarked).then(() => Date.now() - flushedAt);
    while (Date.now() - flushedAt < 2000) {
      // On a machine that is too busy to publish it in time, it is made all the same, and published later.
      expect((await api.send('POST /proxies', { body })).status).to.be.oneOf([201, 503]);
    }
    const took = await marked;
    await untilWhole(api.config, eyes, 60_000);
    const readAt = Date.now();
    const { records } = await eyes.see();
    const readMs = Date.now() - readAt;
    expect(took).to.be.lessThan(Math.max(5000, 10 * readMs + 3 * signingMs(records.size)));
    const [made] = await inDatabase<{ count: string }>(url, 'SELECT count(*) FROM proxies');
    expect(Number(made?.count)).to.be.greaterThan(20_001);
    expect(records.size).to.equal(recordsOfNewTenant + recordsOfProxy * Number(made?.count));
  });
});

/** What so many signatures take here and now. */
function signingMs(count: number): number {
  const { privateKey } = generateKeyPairSync('ed25519');
  const text = Buffer.alloc(600);
  const from = Date.now();
  for (let at = 0; at < count; at += 1) sign(null, text, privateKey);
  return Date.now() - from;
}
