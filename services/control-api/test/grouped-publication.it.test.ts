import { once } from 'node:events';

import { migrate } from '@glovebox/platform/db/migrate';
import { type Postgres, createPostgres } from '@glovebox/platform/db/postgres';
import { createRedis } from '@glovebox/platform/db/redis';
import { redisNames } from '@glovebox/published/keys';
import { expect } from 'chai';

import { testPublication } from '../../../test/harness/test-publication.ts';
import type { ControlConfig } from '../src/config.ts';
import { migrationsFolder } from '../src/migrations.ts';
import type { OnCheckpoint } from '../src/publication/checkpoints.ts';
import { append } from '../src/publication/outbox.ts';
import { Projection } from '../src/publication/projection.ts';
import { publishRound } from '../src/publication/publish-round.ts';
import { type NamedRecord, namedRecord } from '../src/publication/record.ts';
import { startMortalApi } from './harness/mortal.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';

const tenant = (id: string, version: number): NamedRecord =>
  namedRecord(`tenant:${id}`, version, {
    $case: 'tenant',
    value: { id, settings: { version: String(version) }, egressPolicy: undefined },
  });

/** Entries of two records each: more than one script publishes, fewer than a round reads. */
const waiting = 80;
const namesOf = (entry: number) => [`left-${entry}-a`, `left-${entry}-b`];

describe('entries that are published together', () => {
  let config: ControlConfig;
  let eyes: ProjectionEyes;
  let postgres: Postgres;
  let redis: ReturnType<typeof createRedis>;
  let projection: Projection;

  beforeEach(async () => {
    config = await newInstallation();
    await migrate(config.databaseUrl, migrationsFolder);
    eyes = await openEyes(config);
    const shared = { connectTimeoutMs: 5000, onError: () => undefined };
    postgres = createPostgres({
      ...shared,
      url: config.databaseUrl,
      maxConnections: 3,
      statementTimeoutMs: 5000,
      applicationName: 'test',
    });
    redis = createRedis({
      ...shared,
      url: config.redisUrl,
      connectionName: 'test',
      commandTimeoutMs: 5000,
    });
    await once(redis, 'ready');
    const keys = { signing: testPublication.signing, public: testPublication.publicKeys };
    projection = new Projection(redis, redisNames(config.redisPrefix), keys);
  });

  afterEach(async () => {
    eyes[Symbol.dispose]();
    redis.disconnect();
    await postgres[Symbol.asyncDispose]();
  });

  const turn = (onCheckpoint: OnCheckpoint = () => undefined) =>
    publishRound({ postgres, projection, sources: [], onCheckpoint });

  /** What is there is what the marker says: the entries up to it whole, and nothing of those behind it. */
  const expectAsMarked = async (begin: number): Promise<number> => {
    const { records, marker } = await eyes.see();
    const published = (marker?.lastEntry ?? 0) - begin;
    const expected = Array.from({ length: published }, (_, entry) => namesOf(entry))
      .flat()
      .map((id) => `tenant:${id}`);
    expect([...records.keys()].filter((name) => name.includes('left-')).toSorted()).to.deep.equal(
      expected.toSorted(),
    );
    return published;
  };

  it('of changes of one record only the last is written, and the marker counts them all', async () => {
    await turn();
    const before = (await eyes.see()).marker?.lastEntry ?? 0;
    for (const version of [1, 2, 3]) await append(postgres, [tenant('t', version), tenant(`u${version}`, 1)]);
    let scripts = 0;
    const outcome = await turn((step) => (scripts += step === 'entries-published' ? 1 : 0));
    expect([outcome.published, scripts]).to.deep.equal([3, 1]);
    const { records, marker } = await eyes.see();
    expect(records.get('tenant:t')?.version).to.equal(3);
    expect([...records.keys()].filter((name) => name.startsWith('tenant:u'))).to.have.length(3);
    expect(marker?.lastEntry).to.equal(before + 3);
  });

  it('a publisher that is killed in the middle of a round has published whole entries, as many as the marker says', async () => {
    await turn();
    const begin = (await eyes.see()).marker?.lastEntry ?? 0;
    await using mortal = await startMortalApi(config);
    mortal.dieAt('entries-published', 1);
    await postgres.transaction(async (tx) => {
      for (let entry = 0; entry < waiting; entry += 1)
        await append(
          tx,
          namesOf(entry).map((id) => tenant(id, 1)),
        );
    });
    await mortal.dead;
    const published = await expectAsMarked(begin);
    expect(published).to.be.within(1, waiting - 1);
    // Its lock ends with its connection.
    await until(10_000, async () => expect(await turn()).to.include({ published: waiting, more: false }));
    expect(await expectAsMarked(begin)).to.equal(waiting);
    expect(await inDatabase(config.databaseUrl.reveal(), 'SELECT 1 FROM outbox')).to.deep.equal([]);
  });
});
