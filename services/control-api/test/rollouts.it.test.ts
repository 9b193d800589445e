import { hashKey } from '@glovebox/access/api-key';
import { createRedis } from '@glovebox/platform/db/redis';
import {
  proxyRecord,
  proxyRolloutRecord,
  reactorRecord,
  reactorRolloutRecord,
  redisNames,
} from '@glovebox/published/keys';
import { RolloutCounter } from '@glovebox/published/rollout-counter';
import { type ShadowFigures, mostDifferences } from '@glovebox/published/shadow-figures';
import { expect } from 'chai';

import { expectSoon } from '../../../test/harness/expect-soon.ts';
import { keptVersions } from '../src/versions/version-table.ts';
import { type Answer, type TestApi, startTestApi } from './harness/api.ts';
import { openEvents } from './harness/events.ts';
import { expectProblem } from './harness/hostile.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { inDatabase } from './harness/stores.ts';
import { until } from './harness/until.ts';
import { type Version, tagIn, versionsOf } from './harness/version.ts';

const body = (n: number) => ({
  name: `ledger ${n}`,
  destination_url: `https://ledger.example.com/${n}`,
  configuration: { API_KEY: `sk-canary-${n}` },
});

interface Rollout {
  readonly version: number;
  readonly state: string;
  readonly versions: readonly { version: number; requests: number; errors: number }[];
  readonly shadow?: ShadowFigures;
}
const rolloutIn = ({ status, text }: Answer): Rollout => {
  expect(status, text).to.equal(200);
  return JSON.parse(text) as Rollout;
};

/** Milliseconds after which a gateway has counted a request. */
const figuresMs = 1000;

/** contract/rollouts.md */
describe('rollouts', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;
  before(async () => {
    api = await startTestApi();
    eyes = await openEyes(api.config);
  });
  after(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  /** A proxy of version 1 with a draft, version 2. */
  async function start() {
    const created = await api.send('POST /proxies', { body: body(1) });
    expect(created.status, created.text).to.equal(201);
    const { id, key } = created.body;
    const address = `/proxies/${id}`;
    const versions = versionsOf(api, address);
    expect((await versions.draft(body(2), { 'SVC-Comment': 'to Europe' })).status).to.equal(201);
    const rollOut = (more: object = {}) =>
      api.send(`PUT ${address}/rollout`, { body: { version: 2, percent: 10, ...more } });
    const published = async () => {
      const record = (await eyes.find(proxyRolloutRecord(hashKey(key))))?.record;
      expect(record?.$case).to.equal('proxyRollout');
      return record?.$case === 'proxyRollout' ? record.value : undefined;
    };
    const present = async () => (await eyes.find(proxyRecord(hashKey(key))))?.version;
    return { id, key, address, versions, rollOut, published, present };
  }
  const logged = (id: string) =>
    inDatabase<{ operation: string; actor_type: string; reason: string | null }>(
      api.config.databaseUrl.reveal(),
      'SELECT operation, actor_type, reason FROM logs WHERE entity_id = $1 ORDER BY id',
      [id],
    );
  /** Adds to the figures as a gateway does. */
  const count = async (note: (counter: RolloutCounter) => void) => {
    const redis = createRedis({
      url: api.config.redisUrl,
      connectionName: 'test',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
    await new Promise((resolve) => redis.once('ready', resolve));
    const onLost = (error: unknown) => expect.fail(String(error));
    const names = redisNames(api.config.redisPrefix);
    {
      await using counter = new RolloutCounter({ redis, names, onLost });
      note(counter);
    }
    redis.disconnect();
  };
  const managementKey = async (...permissions: string[]): Promise<string> => {
    const application = { name: 'some rights', type: 'management', permissions };
    return (await api.send('POST /applications', { body: application })).body.key;
  };

  it('publish a second version, whole, and leave the present one as it is', async () => {
    const { rollOut, address, published, present, id } = await start();
    const more = { by: 'header:X-Customer', stop_when: { error_rate: 0.1, min_requests: 20 } };
    const set = rolloutIn(await rollOut(more));
    expect(set).to.deep.include({ version: 2, percent: 10, mode: 'live', state: 'running' });
    expect(set).to.deep.include({ ...more, by: 'header:x-customer' });
    const none = { requests: 0, errors: 0 };
    expect(set.versions).to.deep.equal([1, 2].map((version) => ({ version, ...none })));
    expect(rolloutIn(await api.send(`GET ${address}/rollout`))).to.deep.equal(set);
    const second = await published();
    expect(second).to.deep.include({ percent: 10, header: 'x-customer', proxyVersion: 2, ended: false });
    expect(second?.proxy).to.deep.include({ id, tenantId: api.tenant.id, name: 'ledger 2' });
    expect(second?.proxy?.destinationUrl).to.equal('https://ledger.example.com/2');
    expect(Object.keys(second?.proxy?.sealedConfiguration ?? {})).to.deep.equal(['API_KEY']);
    expect(await present()).to.equal(1);
    expect((await logged(id)).at(-1)?.operation).to.equal('update_rollout');
  });

  it('keep their figures while the version is the same, and begin anew with another one', async () => {
    const { rollOut, published, versions } = await start();
    await rollOut();
    const first = (await published())?.id;
    await rollOut({ percent: 50 });
    expect(await published()).to.include({ id: first, percent: 50 });
    await versions.draft(body(3));
    await rollOut({ version: 3 });
    expect((await published())?.id).to.not.equal(first);
  });

  it('make the version the present one under its own number, with its comment and configuration', async () => {
    const { address, rollOut, published, present, versions } = await start();
    await rollOut();
    const completed = await api.send(`POST ${address}/rollout/complete`);
    expect(rolloutIn(completed)).to.deep.include({ version: 2, state: 'completed' });
    expect(tagIn(completed)).to.equal(2);
    expect(await present()).to.equal(2);
    expect((await published())?.ended).to.equal(true);
    const { body: now } = await api.send(`GET ${address}`);
    expect(now).to.deep.include({ name: 'ledger 2', configuration: body(2).configuration });
    expect(await versions.get(2))
      .to.include({ comment: 'to Europe' })
      .and.not.have.property('draft');
    expect((await api.send(`POST ${address}/rollout/complete`)).status).to.equal(409);
    expect(tagIn(await api.send(`PUT ${address}`, { body: body(3) }))).to.equal(3);
  });

  it('of an earlier version make a new one that equals it', async () => {
    const { address, rollOut, present } = await start();
    await api.send(`PUT ${address}`, { body: body(3) });
    await rollOut({ version: 1 });
    const completed = await api.send(`POST ${address}/rollout/complete`);
    expect(tagIn(completed)).to.equal(4);
    expect(await present()).to.equal(4);
    expect((await api.send(`GET ${address}`)).body.name).to.equal('ledger 1');
  });

  it('end for everybody, and the version stays known to requests that began before', async () => {
    const { address, rollOut, published } = await start();
    await rollOut();
    expect((await api.send(`DELETE ${address}/rollout`)).status).to.equal(204);
    expect(await published()).to.deep.include({ ended: true, proxyVersion: 2 });
    for (const request of [`GET ${address}/rollout`, `DELETE ${address}/rollout`])
      expect((await api.send(request)).status).to.equal(404);
    expect((await api.send(`POST ${address}/rollout/complete`)).status).to.equal(404);
    await rollOut();
    expect(await published()).to.deep.include({ ended: false });
  });

  it('keep their version, however many come after it, until they are deleted', async () => {
    const { address, rollOut, versions } = await start();
    await rollOut();
    for (let n = 0; n < keptVersions; n += 1)
      expect((await api.send(`PUT ${address}`, { body: body(10 + n) })).status).to.equal(200);
    expect(await versions.get(2)).to.deep.include({ draft: true } as Partial<Version>);
    await api.send(`DELETE ${address}/rollout`);
    await api.send(`PUT ${address}`, { body: body(3) });
    expect((await api.send(`GET ${address}/versions/2`)).status).to.equal(404);
  });

  it('are gone with the proxy, and there after everything is published anew', async () => {
    const { address, key, rollOut, published } = await start();
    await rollOut();
    const before = await published();
    await eyes.flush();
    await until(20_000, async () => expect(await published()).to.deep.equal(before));
    expect((await api.send(`DELETE ${address}`)).status).to.equal(204);
    expect((await eyes.find(proxyRolloutRecord(hashKey(key))))?.record?.$case).to.equal('tombstone');
  });

  it('stop by themselves when the version fails, with an event and an entry in the log', async () => {
    using events = await openEvents(api.config);
    const hook = { name: 'w', url: 'https://example.com', events: ['rollout.stopped'] };
    expect((await api.send('POST /webhooks', { body: hook })).status).to.equal(201);
    const [failing, fine, tooFew] = [await start(), await start(), await start()];
    const stop_when = { error_rate: 0.1, min_requests: 20 };
    for (const each of [failing, fine, tooFew]) await each.rollOut({ stop_when });
    const ended = async () => (await failing.published())?.ended;
    const rolloutIds = await Promise.all(
      [failing, fine, tooFew].map(async (each) => (await each.published())!.id),
    );
    await count((counter) => {
      for (const [at, requests, errors] of [
        [0, 20, 3],
        [1, 20, 2],
        [2, 19, 19],
      ] as const) {
        const rolloutId = rolloutIds[at]!;
        for (let n = 0; n < requests; n += 1)
          counter.note({ rolloutId, version: 2, failed: n < errors, ms: 10 });
        counter.note({ rolloutId, version: 1, failed: true, ms: 10 });
      }
    });
    await until(20_000, async () => expect(await ended()).to.equal(true));
    const [event] = await events.next(1);
    expect(event?.type).to.equal('rollout.stopped');
    expect(event?.data).to.deep.include({
      subject: { type: 'proxy', id: failing.id },
      version: 2,
      reason: 'error_rate',
      requests: 20,
      errors: 3,
      actor: { type: 'system' },
    });
    const stopped = rolloutIn(await api.send(`GET ${failing.address}/rollout`));
    expect(stopped).to.deep.include({ state: 'stopped', reason: 'error_rate' });
    expect(stopped.versions).to.deep.equal([
      { version: 1, requests: 1, errors: 1, p50_ms: 9.85, p99_ms: 9.85 },
      { version: 2, requests: 20, errors: 3, p50_ms: 9.85, p99_ms: 9.85 },
    ]);
    for (const { address } of [fine, tooFew])
      expect(rolloutIn(await api.send(`GET ${address}/rollout`)).state).to.equal('running');
    expect((await logged(failing.id)).at(-1)).to.deep.equal({
      operation: 'stop_rollout',
      actor_type: 'system',
      reason: 'error_rate',
    });
  });

  it('stop within five seconds of the failure that decides', async () => {
    let failing: Awaited<ReturnType<typeof start>>;
    const fail = async () => {
      failing = await start();
      await failing.rollOut({ stop_when: { error_rate: 0.1, min_requests: 1 } });
      const rolloutId = (await failing.published())!.id;
      await count((counter) => counter.note({ rolloutId, version: 2, failed: true, ms: 10 }));
    };
    const ended = () => until(20_000, async () => expect((await failing.published())?.ended).to.equal(true));
    // Figures are counted once a second, which comes before; they are looked at once a second.
    await expectSoon({ atMost: 5000 - figuresMs }, ended, fail);
  });

  it('that are a shadow give no answers, also for readers of an earlier version, and distinguish a bounded number of differences', async () => {
    const { rollOut, address, published } = await start();
    const set = rolloutIn(await rollOut({ mode: 'shadow', percent: 50 }));
    expect(set).to.deep.include({ mode: 'shadow', percent: 50 });
    expect(set).to.have.deep.property('shadow', { compared: 0, equal: 0, skipped: 0, differences: [] });
    const record = await published();
    expect(record).to.deep.include({ percent: 0, shadowPercent: 50 });
    await count((counter) => {
      const find = (n: number) => ({ path: `/request/body/m${n}`, kind: 'value' }) as const;
      const all = Array.from({ length: mostDifferences + 50 }, (_, n) => find(n));
      for (const one of all) counter.noteCompared(record!.id, [one]);
      counter.noteCompared(record!.id, []);
      counter.noteSkipped(record!.id);
    });
    // Another process knows nothing of what the first has told apart.
    await count((counter) => {
      counter.noteCompared(record!.id, [{ path: '/request/headers/*', kind: 'added' }]);
      counter.noteSkipped(record!.id);
    });
    const { shadow } = rolloutIn(await api.send(`GET ${address}/rollout`));
    expect(shadow).to.include({ compared: mostDifferences + 52, equal: 1, skipped: 2 });
    expect(shadow?.differences).to.have.length(mostDifferences + 1);
    expect(shadow?.differences[0]).to.deep.equal({ path: '*', kind: 'other', count: 51 });
    expect(rolloutIn(await rollOut({ mode: 'live', percent: 5 }))).to.not.have.property('shadow');
    expect(await published()).to.deep.include({ percent: 5, shadowPercent: undefined });
    expect((await published())?.id).to.not.equal(record?.id);
  });

  it('name each member that is wrong', async () => {
    const { rollOut, address } = await start();
    const stop_when = { error_rate: 2, min_requests: 0 };
    const wrong = await rollOut({ version: 0, percent: 101, mode: 'shade', by: 'cookie:x', stop_when });
    expect(wrong.status).to.equal(400);
    const members = ['version', 'percent', 'mode', 'by', 'stop_when.error_rate', 'stop_when.min_requests'];
    expect(Object.keys(wrong.body.errors)).to.have.members(members);
    const missing = await api.send(`PUT ${address}/rollout`, { body: { stop_when: {} } });
    expect(missing.body.errors).to.deep.equal({
      version: ['is required'],
      percent: ['is required'],
      'stop_when.error_rate': ['is required'],
      'stop_when.min_requests': ['is required'],
    });
    for (const sent of [
      { version: 1 },
      { version: 99 },
      { by: 'header:' },
      { by: 'header:a b' },
      { percent: null },
    ]) {
      const answer = await rollOut(sent);
      expect(answer.status, JSON.stringify(sent)).to.equal(400);
      expect(Object.keys(answer.body.errors)).to.deep.equal(Object.keys(sent));
    }
    expect((await api.send(`GET ${address}/rollout`)).status).to.equal(404);
  });

  it('take the permissions of the proxy, and are of one tenant', async () => {
    const { address, rollOut } = await start();
    await rollOut();
    const reader = await managementKey('proxy:read');
    const writer = await managementKey('proxy:update');
    const other = await api.newTenant();
    const sent = { body: { version: 2, percent: 1 } };
    for (const request of [
      `PUT ${address}/rollout`,
      `DELETE ${address}/rollout`,
      `POST ${address}/rollout/complete`,
    ]) {
      expect((await api.send(request, { ...sent, key: reader })).status).to.equal(403);
      expectProblem(await api.send(request, { ...sent, key: other.managementKey }), 404);
    }
    expect((await api.send(`GET ${address}/rollout`, { key: writer })).status).to.equal(403);
    expect((await api.send(`GET ${address}/rollout`, { key: other.managementKey })).status).to.equal(404);
    expect((await api.send(`GET ${address}/rollout`, { key: reader })).status).to.equal(200);
    expect((await api.send(`PUT ${address}/rollout`, { ...sent, key: writer })).status).to.equal(200);
  });

  describe('of reactors', () => {
    /** A reactor of version 1 with a draft, version 2. */
    async function startReactor(definition: (n: number) => object) {
      const created = await api.send('POST /reactors', { body: { name: 'r', ...definition(1) } });
      expect(created.status, created.text).to.equal(201);
      const { id } = created.body;
      const address = `/reactors/${id}`;
      const draft = await api.send(`POST ${address}/versions`, { body: { name: 'r', ...definition(2) } });
      expect(draft.status, draft.text).to.equal(201);
      const rollOut = (more: object = {}) =>
        api.send(`PUT ${address}/rollout`, { body: { version: 2, percent: 10, ...more } });
      const published = async () => {
        const record = (await eyes.find(reactorRolloutRecord(id)))?.record;
        return record?.$case === 'reactorRollout' ? record.value : record?.$case;
      };
      const present = async () => (await eyes.find(reactorRecord(id)))?.version;
      return { id, address, rollOut, published, present };
    }
    const own = (n: number) => ({
      code: `module.exports = () => ({ raw: ${n} })`,
      configuration: { KEY: `sk-canary-${n}` },
    });

    it('publish a second version, whole, under a number that no present one has', async () => {
      const { id, address, rollOut, published, present } = await startReactor(own);
      const set = rolloutIn(await rollOut({ by: 'header:X-Customer' }));
      expect(set).to.deep.include({ version: 2, mode: 'live', state: 'running', by: 'header:x-customer' });
      expect(set.versions.map(({ version }) => version)).to.deep.equal([1, 2]);
      const second = await published();
      expect(second).to.deep.include({ percent: 10, header: 'x-customer', version: 2, ended: false });
      expect(second)
        .to.have.property('reactorVersion')
        .that.is.at.least(2 ** 52);
      expect(second).to.have.nested.property('reactor.code', own(2).code);
      expect(second).to.have.nested.property('reactor.sealedConfiguration.KEY');
      expect(await present()).to.equal(1);
      expect((await logged(id)).at(-1)?.operation).to.equal('update_rollout');
      await eyes.flush();
      await until(20_000, async () => expect(await published()).to.deep.equal(second));
      expect((await api.send(`DELETE ${address}`)).status).to.equal(204);
      expect(await published()).to.equal('tombstone');
    });

    it('that are a shadow give no answers, also for readers of an earlier version', async () => {
      const { rollOut, published, present } = await startReactor(own);
      const set = rolloutIn(await rollOut({ mode: 'shadow', percent: 50 }));
      expect(set).to.deep.include({ mode: 'shadow', percent: 50 });
      expect(set).to.have.deep.property('shadow', { compared: 0, equal: 0, skipped: 0, differences: [] });
      expect(await published()).to.deep.include({ percent: 0, shadowPercent: 50 });
      expect(await present()).to.equal(1);
      await eyes.flush();
      await until(20_000, async () =>
        expect(await published()).to.deep.include({ percent: 0, shadowPercent: 50 }),
      );
      expect(rolloutIn(await rollOut({ mode: 'live', percent: 5 }))).to.not.have.property('shadow');
      expect(await published()).to.deep.include({ percent: 5, shadowPercent: undefined });
    });

    it('make the version the present one under its own number, and one of before under a new number', async () => {
      const { address, rollOut, published, present } = await startReactor(own);
      await rollOut();
      expect(tagIn(await api.send(`POST ${address}/rollout/complete`))).to.equal(2);
      expect(await present()).to.equal(2);
      expect(await published()).to.deep.include({ ended: true });
      expect((await api.send(`GET ${address}`)).body).to.deep.include(own(2));
      await rollOut({ version: 1 });
      expect(tagIn(await api.send(`POST ${address}/rollout/complete`))).to.equal(3);
      expect((await api.send(`GET ${address}`)).body).to.deep.include(own(1));
      expect((await api.send(`DELETE ${address}/rollout`)).status).to.equal(204);
      expect((await api.send(`GET ${address}/rollout`)).status).to.equal(404);
    });

    it('change with their formula, and are refused where the version does not fit it any more', async () => {
      const formula = (code: string, names: readonly string[]) => ({
        type: 'private',
        name: 'f',
        code,
        configuration: names.map((name) => ({ name, description: name, type: 'string' })),
        request_parameters: [],
      });
      const [before, after] = ['module.exports = () => 1', 'module.exports = () => 2'];
      const created = await api.send('POST /reactor-formulas', { body: formula(before, ['KEY']) });
      const formulaId = created.body.id;
      const { rollOut, published, address } = await startReactor((n) => ({
        formula: { id: formulaId },
        configuration: { KEY: `${n}` },
      }));
      await rollOut();
      const first = await published();
      expect(first).to.have.nested.property('reactor.code', before);
      const changed = formula(after, ['KEY', 'MORE']);
      expect((await api.send(`PUT /reactor-formulas/${formulaId}`, { body: changed })).status).to.equal(200);
      const second = await published();
      expect(second).to.have.nested.property('reactor.code', after);
      expect(second).to.deep.include({ version: 2, formulaChanges: 1, percent: 10 });
      expect(second).to.not.have.property(
        'reactorVersion',
        (first as { reactorVersion: number }).reactorVersion,
      );
      expect(rolloutIn(await api.send(`GET ${address}/rollout`)).versions[0]?.version).to.equal(1);
      expect(Object.keys((await rollOut()).body.errors)).to.deep.equal(['configuration.MORE']);
    });

    it('take the permissions of the reactor, and are of one tenant', async () => {
      const { address, rollOut } = await startReactor(own);
      await rollOut();
      const reader = await managementKey('reactor:read');
      const other = await api.newTenant();
      const sent = { body: { version: 2, percent: 1 } };
      for (const request of [
        `PUT ${address}/rollout`,
        `DELETE ${address}/rollout`,
        `POST ${address}/rollout/complete`,
      ]) {
        expect((await api.send(request, { ...sent, key: reader })).status).to.equal(403);
        expectProblem(await api.send(request, { ...sent, key: other.managementKey }), 404);
      }
      expect((await api.send(`GET ${address}/rollout`, { key: other.managementKey })).status).to.equal(404);
      expect((await api.send(`GET ${address}/rollout`, { key: reader })).status).to.equal(200);
    });
  });
});
