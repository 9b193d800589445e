import { type RedisOptions, createRedis, createSubscriber } from '@glovebox/platform/db/redis';
import { redisNames } from '@glovebox/published/keys';
import { encodeMarker } from '@glovebox/published/marker';
import { expect } from 'chai';

import { testPublication } from '../../../test/harness/test-publication.ts';
import { FencedPublisher, Projection } from '../src/publication/projection.ts';
import { type NamedRecord, namedRecord, tombstone } from '../src/publication/record.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { newInstallation } from './harness/stores.ts';

const installationId = '00000000-0000-4000-8000-000000000001';
const name = 'tenant:t';

const version = (number: number): NamedRecord =>
  namedRecord(name, number, {
    $case: 'tenant',
    value: { id: 't', settings: { version: String(number) }, egressPolicy: undefined },
  });

const emptyReactor = {
  name: '',
  formulaId: '',
  code: '',
  declaredConfiguration: [],
  requestParameters: [],
  allowedDestinations: undefined,
  sealedConfiguration: {},
  responseGuard: '',
};

describe('projection', () => {
  let eyes: ProjectionEyes;
  let projection: Projection;
  let prefix: string;
  let options: RedisOptions;
  let redis: ReturnType<typeof createRedis>;

  before(async () => {
    const config = await newInstallation();
    prefix = config.redisPrefix;
    eyes = await openEyes(config);
    options = {
      url: config.redisUrl,
      connectionName: 'test',
      commandTimeoutMs: 1000,
      onError: () => undefined,
    };
    redis = createRedis(options);
    await new Promise((resolve) => redis.once('ready', resolve));
    projection = new Projection(redis, redisNames(prefix), {
      signing: testPublication.signing,
      public: testPublication.publicKeys,
    });
  });

  beforeEach(async () => {
    await eyes.flush();
    await projection.fence('mine');
    await projection.mark('mine', { installationId, lastEntry: 0 }, []);
  });

  after(() => {
    eyes[Symbol.dispose]();
    redis.disconnect();
  });

  const publish = (records: readonly NamedRecord[], before = 0, token = 'mine') =>
    projection.publish(token, { installationId, records, before, after: before + 1 });
  const found = async () => (await eyes.find(name))?.version;

  it('the application that a reactor or proxy named until a change is known for as long as code may run', async () => {
    const names = redisNames(prefix);
    const owner = 'reactor:r';
    const reactor = (number: number, applicationId: string) =>
      namedRecord(owner, number, {
        $case: 'reactor',
        value: { ...emptyReactor, id: 'r', tenantId: 't', applicationId },
      });
    const keptMs = (applicationId: string) => redis.pttl(names.formerApplication(owner, applicationId));
    const versions = [reactor(1, 'a'), reactor(2, 'a'), reactor(3, 'b'), reactor(4, ''), reactor(5, 'c')];
    for (const [before, record] of versions.entries()) await publish([record], before);
    await publish([tombstone(owner, 6)], 5);
    for (const former of ['a', 'b']) expect(await keptMs(former)).to.be.within(3_500_000, 3_600_000);
    for (const none of ['c', '']) expect(await keptMs(none)).to.equal(-2);
  });

  it('of versions that are published together only the last has run, so the application of the one before is kept', async () => {
    const names = redisNames(prefix);
    const owner = 'reactor:together';
    const reactor = (number: number, applicationId: string) =>
      namedRecord(owner, number, {
        $case: 'reactor',
        value: { ...emptyReactor, id: 'together', tenantId: 't', applicationId },
      });
    const keptMs = (applicationId: string) => redis.pttl(names.formerApplication(owner, applicationId));
    await publish([reactor(1, 'a')]);
    await publish([reactor(2, 'b'), reactor(3, 'c')], 1);
    expect(await keptMs('a')).to.be.within(3_500_000, 3_600_000);
    for (const none of ['b', 'c']) expect(await keptMs(none)).to.equal(-2);
    expect((await eyes.find(owner))?.version).to.equal(3);
  });

  it('a smaller or equal version never replaces a larger one, nor brings a deleted record back', async () => {
    await publish([version(2)]);
    await publish([version(1)], 1);
    expect(await found()).to.equal(2);
    await publish([tombstone(name, 3)], 2);
    await publish([version(2)], 3);
    expect((await eyes.find(name))?.record?.$case).to.equal('tombstone');
  });

  it('versions compare as numbers, and larger than 9 is larger', async () => {
    await publish([version(9)]);
    await publish([version(10)], 1);
    expect(await found()).to.equal(10);
    await publish([version(2 ** 40)], 2);
    await publish([version(11)], 3);
    expect(await found()).to.equal(2 ** 40);
  });

  it('a tombstone ends by itself, a record does not, also where one replaces the other', async () => {
    const key = redisNames(prefix).record(name);
    await publish([tombstone(name, 1)]);
    expect(await eyes.command('PTTL', key)).to.be.within(6 * 24 * 3600 * 1000, 7 * 24 * 3600 * 1000);
    await publish([version(2)], 1);
    expect(await eyes.command('PTTL', key)).to.equal(-1);
  });

  it('publishing the same again changes nothing, and the marker never goes back', async () => {
    await publish([version(1)], 0);
    await publish([version(2)], 1);
    expect(await publish([version(1)], 0)).to.equal('published');
    expect((await eyes.see()).marker).to.deep.equal({ installationId, lastEntry: 2 });
    expect(await found()).to.equal(2);
  });

  it('into a projection that is not whole nothing is published', async () => {
    const marker = redisNames(prefix).marker;
    for (const text of [
      '',
      'x',
      encodeMarker({ installationId: installationId.replace('1', '2'), lastEntry: 9 }),
    ]) {
      await eyes.command('SET', marker, text);
      expect(await publish([version(1)])).to.equal('not-whole');
    }
    await eyes.command('DEL', marker);
    expect(await publish([version(1)])).to.equal('not-whole');
    await eyes.command('SET', marker, encodeMarker({ installationId, lastEntry: 4 }));
    expect(await publish([version(1)], 5)).to.equal('not-whole');
    expect(await found()).to.equal(undefined);
  });

  it('who lost the turn can no longer write, remove or mark anything', async () => {
    await publish([version(1)]);
    await projection.fence('another');
    const attempts = [
      () => publish([version(2)], 1),
      () => projection.write('mine', [version(2)]),
      async () => projection.remove('mine', await projection.stored()),
      () => projection.unmark('mine'),
      () => projection.mark('mine', { installationId, lastEntry: 9 }, []),
    ];
    for (const attempt of attempts) {
      await attempt().then(
        () => expect.fail('it was let in'),
        (error: unknown) => expect(error).to.be.instanceOf(FencedPublisher),
      );
    }
    expect(await found()).to.equal(1);
    expect((await eyes.see()).marker).to.deep.equal({ installationId, lastEntry: 1 });
  });

  it('changes are announced by name, a rebuild by names and a star', async () => {
    const subscriber = createSubscriber(options);
    const heard: string[] = [];
    subscriber.on('message', (_channel: string, message: string) => heard.push(message));
    await new Promise((resolve) => subscriber.once('ready', resolve));
    await subscriber.subscribe(redisNames(prefix).changes);
    await publish([version(1), tombstone('proxy:p', 1)]);
    await projection.mark('mine', { installationId, lastEntry: 1 }, ['proxy:p']);
    await subscriber.ping();
    subscriber.disconnect();
    expect(heard).to.deep.equal(['tenant:t\nproxy:p', 'proxy:p\n*']);
  });
});
