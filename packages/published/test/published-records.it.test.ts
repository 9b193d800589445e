import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { type MetricsRegistry, createMetrics } from '@glovebox/platform/telemetry/metrics';
import { Secret } from '@glovebox/platform/values/secret';
import type { PublishedRecord, SessionTerms } from '@glovebox/protos/published/v1/published';
import { expect } from 'chai';

import {
  createTestPublication,
  nextSequence,
  testPublication,
} from '../../../test/harness/test-publication.ts';
import { encodeRecord } from '../src/codec.ts';
import {
  type RecordName,
  anyRecord,
  applicationIdRecord,
  applicationRecord,
  proxyIdRecord,
  proxyRecord,
  proxyRolloutRecord,
  reactorRecord,
  redisNames,
} from '../src/keys.ts';
import { type PublishedRecords, openPublishedRecords } from '../src/published-records.ts';
import { emptyProxy } from '../src/records.ts';

const names = redisNames('registry-test');
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
    allowedDestinations: undefined,
    responseGuard: '',
  };
  return { version, record: { $case: 'reactor', value } };
}

describe('registry over a real Redis', () => {
  let server: RunningRedis;
  let redis: Redis;
  let registry: PublishedRecords;
  let metrics: MetricsRegistry;

  const others = () => {
    metrics = createMetrics('test');
    const cache = { maxEntries: 100, freshMs: 3_600_000, maxStaleMs: 60_000, retryAfterMs: 10 };
    return { names, cache, logger, metrics, publicKeys: testPublication.publicKeys };
  };
  const connected = async () => {
    const [reader, subscriber] = [connect(), connect()];
    await Promise.all([ready(reader), ready(subscriber)]);
    return { redis: reader, subscriber };
  };
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
    await testPublication.put(redis, names, name, record);
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
      ...others(),
    });
    await Promise.all([ready(redis), ready(reader), ready(subscriber)]);
    await redis.flushall();
    await testPublication.mark(redis, names);
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

  it('finds the second version of a rollout by its number, before any announcement, also when it is earlier', async () => {
    const rollout = (number: number, revision: number): PublishedRecord => {
      const second = proxyNamed(`second ${number}`, number).record;
      const proxy = second?.$case === 'proxy' ? second.value : undefined;
      const value = { id: 'f', percent: 50, header: '', ended: false, proxyVersion: number, proxy };
      return { version: revision, record: { $case: 'proxyRollout', value } };
    };
    const named = async (version: number) => (await registry.proxyByKeyHash('h1', version))?.name;
    await publish(proxyRecord('h1'), proxyNamed('present', 2), false);
    expect(await named(2)).to.equal('present');
    expect(await registry.proxyRolloutByKeyHash('h1')).to.equal(undefined);
    await publish(proxyRolloutRecord('h1'), rollout(3, 1), false);
    expect(await Promise.all([3, 3, 2, 0].map(named))).to.deep.equal([
      'second 3',
      'second 3',
      'present',
      'present',
    ]);
    await publish(proxyRolloutRecord('h1'), rollout(1, 2), false);
    expect(await named(1)).to.equal('second 1');
    expect(await named(9)).to.equal('present');
    await publish(proxyRolloutRecord('h1'), { version: 3, record: { $case: 'tombstone', value: {} } });
    await until(async () => (await registry.proxyRolloutByKeyHash('h1')) === undefined);
    expect(await named(1)).to.equal('present');
  });

  it('knows no rollout where there is nothing to be read, and goes on with the proxies that it knows', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1));
    expect(await nameOf('h1')).to.equal('one');
    await redis.del(names.marker, names.signedMarker);
    expect(await registry.proxyRolloutByKeyHash('h1')).to.equal(undefined);
    // At once: nobody waits for it again.
    expect(registry.proxyRolloutByKeyHash('h1')).to.equal(undefined);
    expect(await nameOf('h1')).to.equal('one');
  });

  it('finds a published record, and none where the projection is whole and holds none', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1));
    expect(await nameOf('h1')).to.equal('one');
    expect(await nameOf('h2')).to.equal(undefined);
    expect(await registry.unreadyReason()).to.equal(undefined);
  });

  it('can be relied on from its first moment on by who waits for its first attempt to connect', async () => {
    await publish(proxyRecord('h1'), proxyNamed('one', 1));
    const cache = { maxEntries: 1, freshMs: 1, maxStaleMs: 1, retryAfterMs: 1 };
    const options = { ...others(), cache };
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
    const own = { redis: nowhere(), subscriber: nowhere() };
    await using away = openPublishedRecords({ ...others(), ...own, cache });
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

  describe('against one who can write to Redis', () => {
    const refused = async (...reason: string[]) => {
      const { values } = (await metrics
        .getSingleMetric('glovebox_published_records_refused_total')
        ?.get()) ?? {
        values: [],
      };
      return values
        .filter(({ labels, value }) => reason.includes(String(labels['reason'])) && value > 0)
        .map(({ labels }) => labels['reason']);
    };
    const failureOf = (reading: unknown) => Promise.resolve(reading).catch((error: unknown) => error);
    const application = (id: string, version = 1): PublishedRecord => {
      const value = {
        id,
        tenantId: 't',
        type: 'private',
        permissions: ['token:use'],
        rules: [],
        session: undefined,
      };
      return { version, record: { $case: 'application', value } };
    };
    const tombstone = (version: number): PublishedRecord => ({
      version,
      record: { $case: 'tombstone', value: {} },
    });

    it('refuses an application without a signature, or with that of another key', async () => {
      const forger = createTestPublication();
      const place = names.record(applicationRecord('h'));
      for (const value of [encodeRecord(application('a')), await forger.signed(place, application('a'))]) {
        await redis.set(place, value);
        await redis.publish(names.changes, anyRecord);
        expect(await failureOf(registry.applicationByKeyHash('h'))).to.have.property('code', 'unavailable');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(await refused('unsigned', 'signature')).to.have.members(['unsigned', 'signature']);
    });

    it('refuses an application where sessions are', async () => {
      await redis.set(names.session(applicationRecord('h')), encodeRecord(application('a')));
      expect(await failureOf(registry.applicationByKeyHash('h'))).to.have.property('code', 'unavailable');
      expect(await refused('unsigned')).to.deep.equal(['unsigned']);
    });

    it('refuses a signed record at the place of another one', async () => {
      await publish(applicationRecord('mine'), application('a'), false);
      const signed = await redis.getBuffer(names.record(applicationRecord('mine')));
      await redis.set(names.record(applicationRecord('yours')), signed ?? '');
      expect((await registry.applicationByKeyHash('mine'))?.principal.applicationId).to.equal('a');
      expect(await failureOf(registry.applicationByKeyHash('yours'))).to.have.property('code', 'unavailable');
    });

    it('a revoked key stays revoked when its old record comes back, also for readers that never saw it go', async () => {
      const place = names.record(applicationRecord('h'));
      await publish(applicationRecord('h'), application('a'), false);
      const old = await redis.getBuffer(place);
      expect(await registry.applicationByKeyHash('h')).to.not.equal(undefined);
      await publish(applicationRecord('h'), tombstone(2));
      await until(async () => (await registry.applicationByKeyHash('h')) === undefined);
      await redis.set(place, old ?? '');
      await redis.publish(names.changes, applicationRecord('h'));
      await until(async () => (await failureOf(registry.applicationByKeyHash('h'))) !== undefined);
      expect(await failureOf(registry.applicationByKeyHash('h'))).to.have.property('code', 'unavailable');
      expect(await refused('superseded')).to.deep.equal(['superseded']);
      // What control-api does every few minutes: it signs what there is anew, and raises the floor.
      await testPublication.mark(redis, names, { floor: nextSequence() });
      await using cold = openPublishedRecords({ ...(await connected()), ...others() });
      expect(await failureOf(cold.applicationByKeyHash('h'))).to.have.property('code', 'unavailable');
      await redis.set(place, await testPublication.signed(place, tombstone(2), 1));
      await using second = openPublishedRecords({ ...(await connected()), ...others() });
      expect(await second.applicationByKeyHash('h')).to.equal(undefined);
      await redis.del(place);
      await using third = openPublishedRecords({ ...(await connected()), ...others() });
      expect(await third.applicationByKeyHash('h')).to.equal(undefined);
    });

    it('keeps what it knows when all of Redis is rolled back, and reads on when it comes forward', async () => {
      await publish(proxyRecord('h1'), proxyNamed('one', 1), false);
      expect(await nameOf('h1')).to.equal('one');
      const before = await redis.mgetBuffer(
        names.marker,
        names.signedMarker,
        names.record(proxyRecord('h1')),
      );
      await publish(proxyRecord('h1'), proxyNamed('two', 2), false);
      await testPublication.mark(redis, names);
      await redis.publish(names.changes, anyRecord);
      await until(async () => (await nameOf('h1')) === 'two');
      const [marker, signedMarker, record] = before;
      await redis.mset(
        names.marker,
        marker ?? '',
        names.signedMarker,
        signedMarker ?? '',
        names.record(proxyRecord('h1')),
        record ?? '',
      );
      await redis.publish(names.changes, anyRecord);
      await until(async () => (await refused('marker')).length > 0 || (await nameOf('h1')) !== 'two');
      expect(await nameOf('h1')).to.equal('two');
      await testPublication.mark(redis, names);
      await publish(proxyRecord('h1'), proxyNamed('three', 3));
      await until(async () => (await nameOf('h1')) === 'three');
    });

    it('takes a marker for nothing that is older than the longest stale time, however whole Redis looks', async () => {
      await publish(proxyRecord('h1'), proxyNamed('one', 1), false);
      await testPublication.mark(redis, names, { signedAt: Date.now() - 61_000 });
      await using cold = openPublishedRecords({ ...(await connected()), ...others() });
      expect(await failureOf(cold.proxyByKeyHash('h1'))).to.have.property('code', 'unavailable');
      await testPublication.mark(redis, names, { signedAt: Date.now() - 59_000 });
      expect(await failureOf(cold.proxyByKeyHash('h1'))).to.have.property('name', 'one');
    });

    it('believes only control-api about the application that an owner named', async () => {
      const place = names.formerApplication(proxyRecord('p'), 'powerful');
      await redis.set(place, '');
      expect(await registry.namedUntilLately(proxyRecord('p'), 'powerful')).to.equal(false);
      await redis.set(place, await testPublication.former(place));
      expect(await registry.namedUntilLately(proxyRecord('p'), 'powerful')).to.equal(true);
      const other = names.formerApplication(proxyRecord('q'), 'powerful');
      await redis.rename(place, other);
      expect(await registry.namedUntilLately(proxyRecord('q'), 'powerful')).to.equal(false);
    });
  });
});
