import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hashKey } from '@glovebox/access/api-key';
import { createPostgres } from '@glovebox/platform/db/postgres';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { decodeRecord, encodeRecord } from '@glovebox/published/codec';
import {
  applicationIdRecord,
  applicationRecord,
  proxyRecord,
  redisNames,
  tenantRecord,
} from '@glovebox/published/keys';
import { decodeMarker, encodeMarker } from '@glovebox/published/marker';
import type { PublicKeys } from '@glovebox/published/public-keys';
import { RefusedRecord, verifyValue } from '@glovebox/published/record-signature';
import { expect } from 'chai';

import { createTestPublication, testPublication } from '../../../test/harness/test-publication.ts';
import { allPublishedApplications } from '../src/applications/published.ts';
import { allPublishedProxies } from '../src/proxies/published.ts';
import { Projection } from '../src/publication/projection.ts';
import { signAnew } from '../src/publication/sign-anew.ts';
import { allPublishedTenants } from '../src/tenants/published.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import { openEyes } from './harness/projection.ts';
import { openReader } from './harness/reader.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { until } from './harness/until.ts';
import { untilWhole } from './harness/whole.ts';

const body = { name: 'p', destination_url: 'https://example.com' };

describe('what control-api publishes is signed', () => {
  let api: TestApi;
  let redis: Redis;
  let names: ReturnType<typeof redisNames>;

  before(async () => {
    api = await startTestApi();
    names = redisNames(api.config.redisPrefix);
    redis = createRedis({
      url: api.config.redisUrl,
      connectionName: 'test',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
    await new Promise((resolve) => redis.once('ready', resolve));
  });

  after(() => redis.disconnect());

  const projectionOf = () =>
    new Projection(redis, names, {
      signing: testPublication.signing,
      public: testPublication.publicKeys,
    });
  const sequencesOf = async (keys: PublicKeys) => {
    const found = await redis.keys(names.allRecords);
    return Promise.all(
      found.map(async (key) => {
        const stored = await redis.getBuffer(key);
        return (await verifyValue(keys, key, stored ?? Buffer.alloc(0))).sequence;
      }),
    );
  };
  const signAllAnew = async (projection: Projection) => {
    await using postgres = createPostgres({
      url: api.config.databaseUrl,
      maxConnections: 3,
      statementTimeoutMs: 5000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
    const sources = [allPublishedTenants, allPublishedApplications, allPublishedProxies];
    return await signAnew({
      postgres: postgres.acrossTenants('test'),
      projection,
      sources,
      onCheckpoint: () => undefined,
    });
  };

  it('every few minutes anew, so that readers refuse an old record that is put back', async () => {
    const { key: apiKey, id } = (
      await api.send('POST /applications', {
        body: { name: 'thief', type: 'private', permissions: ['token:use'] },
      })
    ).body;
    const place = names.record(applicationRecord(hashKey(apiKey)));
    const old = await redis.getBuffer(place);
    expect((await api.send(`DELETE /applications/${id}`)).status).to.equal(204);
    await api.send('POST /proxies', { body });
    const projection = projectionOf();
    const before = await projection.marker();
    expect(await signAllAnew(projection)).to.equal(true);
    const after = await projection.marker();
    expect(after?.floor).to.be.greaterThan(before?.sequence ?? Infinity);
    expect(after).to.include({ lastEntry: before?.lastEntry, floorEntry: before?.lastEntry });
    // Tombstones are not signed anew.
    await redis.del(place, names.record(applicationIdRecord(id)));
    for (const sequence of await sequencesOf(testPublication.publicKeys))
      expect(sequence).to.be.greaterThan(after?.floor ?? Infinity);
    await redis.set(place, old ?? '');
    await using reader = openReader(api.config);
    await reader.attempted();
    expect(
      await Promise.resolve(reader.applicationByKeyHash(hashKey(apiKey))).catch((e: unknown) => e),
    ).to.have.property('code', 'unavailable');
    expect(await reader.applicationByKeyHash(hashKey(api.tenant.privateKey))).to.not.equal(undefined);
  });

  it('anew without touching what changed meanwhile, and brings back what was removed from Redis', async () => {
    const place = names.record(tenantRecord(api.tenant.id));
    const newer = await testPublication.signed(place, {
      version: 2 ** 40,
      record: { $case: 'tombstone', value: {} },
    });
    await redis.set(place, newer);
    const key = names.record(applicationRecord(hashKey(api.tenant.privateKey)));
    await redis.del(key);
    expect(await signAllAnew(projectionOf())).to.equal(true);
    expect(await redis.getBuffer(place)).to.deep.equal(newer);
    expect(await redis.exists(key)).to.equal(1);
    await redis.del(place);
    await signAllAnew(projectionOf());
  });

  it('by the new key as soon as a process begins with it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'publication-'));
    try {
      const next = createTestPublication();
      const keyFile = join(folder, 'key.pem');
      await writeFile(keyFile, next.privateKey);
      await api.send('POST /proxies', { body });
      const both = new Map([...testPublication.publicKeys, ...next.publicKeys]);
      await expectRefusal(sequencesOf(next.publicKeys));
      const config = { ...api.config, publication: { keyFile, publicKeys: both } };
      await using second = await startTestApi({ sealer: reversingSealer }, config);
      await until(20_000, () => sequencesOf(next.publicKeys));
      // The old process goes on with the old key until it ends: readers accept both, and nothing is made anew for it.
      await api.send('POST /proxies', { body });
      await expectRefusal(sequencesOf(next.publicKeys));
      await sequencesOf(both);
      await second.send('POST /proxies', { body });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('also what a release without signatures has published', async () => {
    using eyes = await openEyes(api.config);
    await untilWhole(api.config, eyes);
    const place = names.record(tenantRecord(api.tenant.id));
    const stored = await redis.getBuffer(place);
    await redis.set(place, stored?.subarray(0, -87) ?? '');
    const marker = decodeMarker(await redis.get(names.marker));
    const { installationId = '', lastEntry = 0 } = marker ?? {};
    await redis.set(names.marker, encodeMarker({ installationId, lastEntry: lastEntry + 1 }));
    await until(20_000, () => sequencesOf(testPublication.publicKeys));
    await untilWhole(api.config, eyes);
  });

  it('by a forged record of a proxy no application is made a former one', async () => {
    const { id, key } = (await api.send('POST /proxies', { body })).body;
    const name = proxyRecord(hashKey(key));
    const record = decodeRecord((await redis.getBuffer(names.record(name))) ?? Buffer.alloc(0));
    if (record.record?.$case !== 'proxy') throw new Error('expected a proxy');
    record.record.value.applicationId = 'powerful';
    await redis.set(names.record(name), encodeRecord(record));
    expect((await api.send(`PUT /proxies/${id}`, { body: { ...body, name: 'changed' } })).status).to.equal(
      200,
    );
    expect(await redis.exists(names.formerApplication(name, 'powerful'))).to.equal(0);
  });

  it('over a forged record, however high its version is', async () => {
    const { id, key } = (await api.send('POST /proxies', { body })).body;
    const place = names.record(proxyRecord(hashKey(key)));
    const forge = async () => {
      const record = decodeRecord((await redis.getBuffer(place)) ?? Buffer.alloc(0));
      await redis.set(place, encodeRecord({ ...record, version: 2 ** 52 }));
    };
    await using reader = openReader(api.config);
    await reader.attempted();
    await forge();
    const change = await api.send(`PUT /proxies/${id}`, { body: { ...body, name: 'changed' } });
    expect(change.status).to.equal(200);
    expect(await reader.proxyByKeyHash(hashKey(key))).to.include({ name: 'changed' });
    await forge();
    expect((await api.send(`DELETE /proxies/${id}`)).status).to.equal(204);
    expect(await reader.proxyByKeyHash(hashKey(key))).to.equal(undefined);
    expect(await redis.pttl(place)).to.be.greaterThan(0);
  });

  it('while the database is away, but not when Redis was rolled back', async () => {
    const projection = projectionOf();
    await projection.marker();
    const rolledBack = await redis.get(names.signedMarker);
    const signedAt = async () => (await projection.marker())?.signedAt ?? 0;
    // It would sign by itself.
    await api[Symbol.asyncDispose]();
    const first = await signedAt();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await projection.renewWithoutDatabase(() => true);
    const second = await signedAt();
    expect(second).to.be.greaterThan(first);
    await redis.set(names.signedMarker, rolledBack ?? '');
    await projection.renewWithoutDatabase(() => true);
    expect(await redis.get(names.signedMarker)).to.equal(rolledBack);
    expect(await signedAt()).to.be.lessThan(second);
  });
});

async function expectRefusal(attempt: Promise<unknown>): Promise<void> {
  const failure = await attempt.catch((error: unknown) => error);
  expect(failure).to.be.instanceOf(RefusedRecord);
}
