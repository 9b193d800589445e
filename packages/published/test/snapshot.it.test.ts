import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { createMetrics } from '@glovebox/platform/telemetry/metrics';
import { Secret } from '@glovebox/platform/values/secret';
import type { PublishedRecord } from '@glovebox/protos/published/v1/published';
import { expect } from 'chai';

import {
  createTestPublication,
  nextSequence,
  testPublication,
} from '../../../test/harness/test-publication.ts';
import { until } from '../../../test/harness/until.ts';
import { applicationRecord, redisNames } from '../src/keys.ts';
import { type PublishedRecords, openPublishedRecords } from '../src/published-records.ts';

const names = redisNames('snapshot-test');
const maxStaleMs = 120_000;

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
const tombstone: PublishedRecord = { version: 9, record: { $case: 'tombstone', value: {} } };

describe('a snapshot of what is published', () => {
  let server: RunningRedis;
  let redis: Redis;
  let folder: string;

  const connect = (url = server.url) =>
    createRedis({
      url: new Secret(url),
      connectionName: 'test',
      commandTimeoutMs: 500,
      onError: () => undefined,
    });
  const open = (url: string | undefined, publicKeys = testPublication.publicKeys): PublishedRecords =>
    openPublishedRecords({
      redis: connect(url),
      subscriber: connect(url),
      names,
      cache: { maxEntries: 100, freshMs: 3_600_000, maxStaleMs, retryAfterMs: 10 },
      snapshotFolder: folder,
      logger: createLogger({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
      publicKeys,
    });
  /** As a process that starts while Redis is away finds it. */
  const cold = async (publicKeys = testPublication.publicKeys) => {
    const records = open('redis://127.0.0.1:1', publicKeys);
    await records.attempted();
    return records;
  };
  const outcomeOf = async (records: PublishedRecords, hash: string) => {
    try {
      return (await records.applicationByKeyHash(hash))?.principal.applicationId ?? 'absent';
    } catch (error) {
      expect(error).to.have.property('code', 'unavailable');
      return 'unavailable';
    }
  };
  const coldOutcome = async (hash: string, publicKeys = testPublication.publicKeys) => {
    await using records = await cold(publicKeys);
    return outcomeOf(records, hash);
  };
  const publish = async (hash: string, record: PublishedRecord) => {
    await testPublication.put(redis, names, applicationRecord(hash), record);
    await testPublication.mark(redis, names);
    await redis.publish(names.changes, applicationRecord(hash));
  };
  const files = async () => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };
  /** Runs a process until its snapshot holds so many records. */
  const keep = async (count: number) => {
    await using records = open(undefined);
    void records;
    await until('the snapshot is written', async () => (await files()).length === count + 1, 20_000);
  };

  before(async () => {
    server = await startRedis({ ephemeral: true });
    redis = connect();
    await new Promise((resolve) => redis.once('ready', resolve));
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
    await redis.flushall();
    await testPublication.put(redis, names, applicationRecord('one'), application('a'));
    await testPublication.put(redis, names, applicationRecord('two'), application('b'));
    await testPublication.put(redis, names, applicationRecord('gone'), tombstone);
    await testPublication.mark(redis, names);
  });

  afterEach(() => rm(folder, { recursive: true }));

  after(async () => {
    await redis.quit();
    await server.stop();
  });

  it('serves a process that starts while Redis is away, which says so and nothing else', async () => {
    await keep(2);
    await using records = await cold();
    expect(await records.unreadyReason()).to.equal(undefined);
    expect(await records.readinessNote()).to.match(
      /^Redis has not been reached; served from the snapshot of 2/,
    );
    expect(await outcomeOf(records, 'one')).to.equal('a');
    expect(await outcomeOf(records, 'two')).to.equal('b');
    expect(await outcomeOf(records, 'gone')).to.equal('unavailable');
    for (const file of await files()) expect((await stat(file)).mode & 0o777).to.equal(0o600);
    await rm(folder, { recursive: true });
    await using without = await cold();
    expect(await without.unreadyReason()).to.be.a('string');
    expect(await outcomeOf(without, 'one')).to.equal('unavailable');
  });

  it('follows what is published, and what is revoked', async () => {
    await keep(2);
    await using records = open(undefined);
    await until('it is connected', async () => (await records.readinessNote()) === undefined);
    const counts = async () => (await redis.pubsub('NUMSUB', names.changes)) as [string, number];
    await until('it listens', async () => (await counts())[1] > 0);
    await publish('three', application('c'));
    await publish('one', tombstone);
    await until(
      'the snapshot has changed',
      async () => (await coldOutcome('three')) === 'c' && (await coldOutcome('one')) === 'unavailable',
      20_000,
    );
  });

  it('ends with the longest stale time, counted from its signature', async () => {
    await testPublication.mark(redis, names, { signedAt: Date.now() - maxStaleMs + 5000 });
    await keep(2);
    expect(await coldOutcome('one')).to.equal('a');
    await until('it is too old', async () => (await coldOutcome('one')) === 'unavailable', 10_000);
    await using records = await cold();
    expect(await records.unreadyReason()).to.be.a('string');
  });

  it('is refused where another key has signed it, and void once another database publishes', async () => {
    await keep(2);
    expect(await coldOutcome('one', createTestPublication().publicKeys)).to.equal('unavailable');
    await redis.flushall();
    await testPublication.mark(redis, names, { installationId: '00000000-0000-4000-8000-000000000002' });
    await using records = open(undefined);
    await records.attempted();
    expect(await outcomeOf(records, 'one')).to.equal('absent');
    await until('its records are gone', async () => (await files()).length === 1, 20_000);
  });

  it('keeps a Redis out that is older than what was seen here', async () => {
    const older = await redis.mget(names.marker, names.signedMarker);
    await publish('one', tombstone);
    await keep(1);
    await redis.mset(names.marker, older[0] ?? '', names.signedMarker, older[1] ?? '');
    await testPublication.put(redis, names, applicationRecord('one'), application('a'));
    await using records = open(undefined);
    await records.attempted();
    expect(await outcomeOf(records, 'one')).to.equal('unavailable');
    expect(await outcomeOf(records, 'two')).to.equal('b');
  });

  it('gives nothing else with any of its bytes changed, nor with its files exchanged', async () => {
    await keep(2);
    const [first = '', second = ''] = (await files()).filter((file) => !file.endsWith('marker'));
    const contents = await Promise.all(
      (await files()).map(async (file) => [file, await readFile(file)] as const),
    );
    for (const [file, content] of contents) {
      for (let position = 0; position < content.length; position += 23) {
        const changed = Buffer.from(content);
        changed[position]! ^= 1 << (position % 8);
        await writeFile(file, changed);
        const outcomes = await bothOutcomes();
        expect(outcomes, `byte ${position}`).to.include('unavailable');
        expect(['a', 'unavailable']).to.include(outcomes[0]);
        expect(['b', 'unavailable']).to.include(outcomes[1]);
      }
      await writeFile(file, content);
    }
    await writeFile(first, await readFile(second));
    expect(await bothOutcomes())
      .to.include('unavailable')
      .and.have.length(2);
  });

  const bothOutcomes = async () => {
    await using records = await cold();
    return [await outcomeOf(records, 'one'), await outcomeOf(records, 'two')];
  };

  it('does not take an old record for a new one where everything was signed anew since', async () => {
    await keep(2);
    const old = await Promise.all((await files()).map(async (file) => [file, await readFile(file)] as const));
    const floor = nextSequence();
    await testPublication.put(redis, names, applicationRecord('one'), application('a', 2));
    await testPublication.put(redis, names, applicationRecord('two'), application('b', 2));
    await testPublication.mark(redis, names, { floor });
    await using records = open(undefined);
    void records;
    await until(
      'it was written anew',
      async () =>
        !(await readFile(join(folder, 'marker'))).equals(old.find(([file]) => file.endsWith('marker'))![1]),
      20_000,
    );
    for (const [file, content] of old) if (!file.endsWith('marker')) await writeFile(file, content);
    expect(await bothOutcomes()).to.deep.equal(['unavailable', 'unavailable']);
  });
});
