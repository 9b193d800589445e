import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { Secret } from '@glovebox/platform/values/secret';
import type { PublishedRecord, SessionTerms } from '@glovebox/protos/published/v1/published';
import { expect } from 'chai';

import { encodeRecord } from '../src/codec.ts';
import {
  type RecordName,
  anyRecord,
  applicationIdRecord,
  applicationRecord,
  proxyIdRecord,
  proxyRecord,
  reactorRecord,
  redisNames,
} from '../src/keys.ts';
import { encodeMarker } from '../src/marker.ts';
import { type PublishedRecords, openPublishedRecords } from '../src/published-records.ts';
import { emptyProxy } from '../src/records.ts';

const names = redisNames('registry-test');
const installationId = '00000000-0000-4000-8000-000000000001';
const logger = createLogger({ service: 'test', level: 'silent' });

function proxyNamed(name: string, version: number): PublishedRecord {
  const value = {
    ...emptyProxy,
    id: 'p',
    tenantId: 't',
    name,
    destinationUrl: 'https://example.org',
    requireAuth: true,
  };
  return { version, record: { $case: 'proxy', value } };
}

function reactorOfType(type: string, version: number): PublishedRecord {
  const value = {
    id: 'r',
    tenantId: 't',
    name: 'reactor',
    applicationId: '',
    formulaId: 'f',
    code: 'module.exports = async (req) => ({ raw: req.args })',
    declaredConfiguration: [{ name: 'API_KEY', type }],
    requestParameters: [{ name: 'card.number', type: 'string', optional: false }],
    sealedConfiguration: { API_KEY: Buffer.from('sealed') },
  };
  return { version, record: { $case: 'reactor', value } };
}

describe('registry over a real Redis', () => {
  let server: RunningRedis;
  let redis: Redis;
  let registry: PublishedRecords;

  const connect = () =>
    createRedis({
      url: new Secret(server.url),
      connectionName: 'test',
      commandTimeoutMs: 500,
      onError: () => undefined,
    });
  const ready = (connection: Redis) =>
    new Promise<void>((resolve) => {
      if (connection.status === 'ready') resolve();
      else connection.once('ready', () => resolve());
    });
  const publish = async (name: RecordName, record: PublishedRecord, announce = true) => {
    await redis.set(names.record(name), encodeRecord(record));
    if (announce) await redis.publish(names.changes, name);
  };
  const nameOf = async (hash: string) => (await registry.proxyByKeyHash(hash))?.name;
  const until = async (condition: () => Promise<boolean>) => {
    const deadline = Date.now() + 10_000;
    while (!(await condition())) {
      if (Date.now() > deadline) throw new Error('the condition did not come to hold within 10 s');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  before(async () => {
    server = await startRedis({ ephemeral: true });
  });

  beforeEach(async () => {
    redis = connect();
    const subscriber = connect();
    const reader = connect();
    registry = openPublishedRecords({
      redis: reader,
      subscriber,
      names,
      cache: { maxEntries: 100, freshMs: 3_600_000, maxStaleMs: 60_000, retryAfterMs: 10 },
      logger,
    });
    await Promise.all([ready(redis), ready(reader), ready(subscriber)]);
    await redis.flushall();
    await redis.set(names.marker, encodeMarker({ installationId, lastEntry: 1 }));
    await until(async () => ((await redis.pubsub('NUMSUB', names.changes)) as [string, number])[1] > 0);
  });

  afterEach(async () => {
    await registry[Symbol.asyncDispose]();
    await redis.quit();
  });

  after(() => server.stop());

  it('reads a record again that is older than a version seen elsewhere, before any announcement', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1), false);
    expect(await nameOf('h1')).to.equal('one');
    await publish(proxyRecord('h1'), proxyNamed('two', 2), false);
    expect((await registry.proxyByKeyHash('h1', 1))?.name).to.equal('one');
    const asked = await Promise.all([1, 2, 3].map(() => registry.proxyByKeyHash('h1', 2)));
    expect(asked.map((record) => record?.name)).to.deep.equal(['two', 'two', 'two']);
    expect(await registry.proxyByKeyHash('h2', 1)).to.equal(undefined);
    await publish(proxyRecord('h2'), proxyNamed('new', 1), false);
    expect((await registry.proxyByKeyHash('h2', 1))?.name).to.equal('new');
  });

  it('finds a published record, and none where the projection is whole and holds none', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1));
    expect(await nameOf('h1')).to.equal('one');
    expect(await nameOf('h2')).to.equal(undefined);
    expect(await registry.unreadyReason()).to.equal(undefined);
  });

  it('can be relied on from its first moment on by who waits for its first attempt to connect', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1));
    const options = { names, cache: { maxEntries: 1, freshMs: 1, maxStaleMs: 1, retryAfterMs: 1 }, logger };
    await using fresh = openPublishedRecords({ ...options, redis: connect(), subscriber: connect() });
    await fresh.attempted();
    expect((await fresh.proxyByKeyHash('h1'))?.name).to.equal('one');
    const nowhere = () =>
      createRedis({
        url: new Secret('redis://127.0.0.1:1'),
        connectionName: 'test',
        commandTimeoutMs: 500,
        onError: () => undefined,
      });
    await using away = openPublishedRecords({ ...options, redis: nowhere(), subscriber: nowhere() });
    await away.attempted();
  });

  it('tells whose a proxy is by its id, until that is announced to be gone', async () => {
    const value = { id: 'p1', tenantId: 't1' };
    await publish(proxyIdRecord('p1'), { version: 1, record: { $case: 'proxyReference', value } });
    expect(await registry.proxyReferenceById('p1')).to.deep.equal({ ...value, version: 1 });
    expect(await registry.proxyReferenceById('p2')).to.equal(undefined);
    await publish(proxyIdRecord('p1'), { version: 2, record: { $case: 'tombstone', value: {} } });
    await until(async () => (await registry.proxyReferenceById('p1')) === undefined);
  });

  it('finds a session apart from what is published, until it expires or an application that it comes from is gone', async () => {
    const record = (id: string, session: SessionTerms | undefined, version = 1): PublishedRecord => {
      const type = session === undefined ? 'private' : 'session';
      const value = { id, tenantId: 't', type, permissions: ['token:use'], rules: [], session };
      return { version, record: { $case: 'application', value } };
    };
    const keep = (name: RecordName, session: PublishedRecord) =>
      redis.set(names.session(name), encodeRecord(session));
    await publish(applicationIdRecord('a'), record('a', undefined));
    const expiresAt = Date.now() + 700;
    const session = record('s', { expiresAt, originIds: ['a'] });
    await keep(applicationRecord('h'), session);
    await keep(applicationIdRecord('s'), session);
    expect((await registry.applicationByKeyHash('h'))?.principal).to.include({
      applicationId: 's',
      applicationType: 'session',
    });
    expect((await registry.applicationById('s'))?.session).to.deep.equal({ expiresAt, originIds: ['a'] });
    const records = await redis.keys(names.allRecords);
    expect(records).to.deep.equal([names.record(applicationIdRecord('a'))]);
    await until(async () => (await registry.applicationByKeyHash('h')) === undefined);
    expect(Date.now()).to.be.at.least(expiresAt);
    expect(await registry.applicationById('s')).to.equal(undefined);
    const orphan = record('o', { expiresAt: Date.now() + 60_000, originIds: ['a', 'b'] });
    await keep(applicationRecord('o'), orphan);
    expect(await registry.applicationByKeyHash('o')).to.equal(undefined);
    await publish(applicationIdRecord('b'), record('b', undefined));
    await until(async () => (await registry.applicationByKeyHash('o')) !== undefined);
    await publish(applicationIdRecord('a'), { version: 2, record: { $case: 'tombstone', value: {} } });
    await until(async () => (await registry.applicationByKeyHash('o')) === undefined);
  });

  it('finds an expiring application until it expires, and takes none that does not say when', async () => {
    const expiresAt = Date.now() + 700;
    const value = { id: 'e', tenantId: 't', type: 'expiring', permissions: ['token:read'], rules: [] };
    await publish(applicationRecord('e'), {
      version: 1,
      record: { $case: 'application', value: { ...value, session: undefined, expiresAt } },
    });
    expect((await registry.applicationByKeyHash('e'))?.expiresAt).to.equal(expiresAt);
    await until(async () => (await registry.applicationByKeyHash('e')) === undefined);
    expect(Date.now()).to.be.at.least(expiresAt);
    for (const [type, moment] of [
      ['expiring', undefined],
      ['private', expiresAt],
    ] as const) {
      const wrong = { ...value, type, session: undefined, expiresAt: moment };
      await publish(applicationRecord(type), {
        version: 1,
        record: { $case: 'application', value: wrong },
      });
      const error = await Promise.resolve(registry.applicationByKeyHash(type)).catch(
        (cause: unknown) => cause,
      );
      expect(error).to.include({ code: 'unavailable' });
    }
  });

  it('acts on an announced change, however long a record counts as fresh', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1));
    expect(await nameOf('h1')).to.equal('one');
    await publish(proxyRecord('h1'), proxyNamed('two', 2));
    await until(async () => (await nameOf('h1')) === 'two');
  });

  it('acts on an announced creation of what it knew to be absent', async () => {
    expect(await nameOf('h1')).to.equal(undefined);
    await publish(proxyRecord('h1'), proxyNamed('one', 1));
    await until(async () => (await nameOf('h1')) === 'one');
  });

  it('finds a reactor with all that its formula says, and acts on its changes', async () => {
    await publish(reactorRecord('r'), reactorOfType('string', 1));
    const { record } = reactorOfType('string', 1);
    expect(await registry.reactorById('r')).to.deep.equal({ ...record?.value, version: 1 });
    await publish(reactorRecord('r'), reactorOfType('number', 2));
    await until(async () => (await registry.reactorById('r'))?.declaredConfiguration[0]?.type === 'number');
    await publish(reactorRecord('r'), { version: 3, record: { $case: 'tombstone', value: {} } });
    await until(async () => (await registry.reactorById('r')) === undefined);
  });

  it('takes a reactor whose formula declares an unknown type for unavailable', async () => {
    await publish(reactorRecord('r'), reactorOfType('array', 1));
    const failure = await Promise.resolve(registry.reactorById('r')).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'unavailable');
  });

  it('takes a tombstone for absence', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1));
    expect(await nameOf('h1')).to.equal('one');
    await publish(proxyRecord('h1'), { version: 2, record: { $case: 'tombstone', value: {} } });
    await until(async () => (await nameOf('h1')) === undefined);
  });

  it('takes a flushed server for unavailable, never for one that knows no keys', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1), false);
    expect(await nameOf('h1')).to.equal('one');
    await redis.flushall();
    expect(await nameOf('h1')).to.equal('one');
    const failure = await Promise.resolve(registry.proxyByKeyHash('h2')).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'unavailable');
  });

  it('keeps serving the last valid record when a broken one is published', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1), false);
    expect(await nameOf('h1')).to.equal('one');
    await redis.set(names.record(proxyRecord('h1')), 'rubbish');
    expect(await nameOf('h1')).to.equal('one');
  });

  it('reads everything again when any record may have changed', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 2), false);
    expect(await nameOf('h1')).to.equal('one');
    await publish(proxyRecord('h1'), proxyNamed('restored', 1), false);
    await redis.publish(names.changes, anyRecord);
    await until(async () => (await nameOf('h1')) === 'restored');
  });

  it('sees changes that it missed while its subscription was broken', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1), false);
    expect(await nameOf('h1')).to.equal('one');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await publish(proxyRecord('h1'), proxyNamed('two', 2), false);
    await until(async () => (await nameOf('h1')) === 'two');
  });
});
