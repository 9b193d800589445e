import { randomUUID } from 'node:crypto';

import { hashKey } from '@glovebox/access/api-key';
import { applicationIdRecord, applicationRecord, proxyRolloutRecord } from '@glovebox/published/keys';
import { webhookEvents } from '@glovebox/published/webhook-events';
import { expect } from 'chai';

import { type Checkpoint, steps } from '../src/publication/checkpoints.ts';
import { type Answer, type TestApi, type TestTenant, newTenant, send, startTestApi } from './harness/api.ts';
import { type MortalApi, startMortalApi } from './harness/mortal.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';
import { untilWhole } from './harness/whole.ts';

const proxy = { name: 'before', destination_url: 'https://example.com' };

/** What exists, and was acknowledged, before the process dies. */
interface World {
  readonly tenant: TestTenant;
  readonly ids: Readonly<Record<'updated' | 'deleted' | 'application' | 'rolledOut', string>>;
  /** Of the proxy that is rolled out. */
  readonly proxyKey: string;
  /** Of the application. */
  readonly oldKey: string;
  /** The idempotency key of the proxy that is made, and its name. */
  readonly order: string;
}

async function makeWebhook(base: string, { managementKey }: TestTenant): Promise<void> {
  const body = { name: 'w', url: 'https://example.com', events: webhookEvents };
  // On a machine that is too busy to publish it in time, it is made all the same, and published later.
  expect((await send(base, managementKey, 'POST /webhooks', { body })).status).to.be.oneOf([201, 503]);
}

async function build(base: string, tenant: TestTenant): Promise<World> {
  const make = (path: string, body: object) => {
    const headers = { 'SVC-IDEMPOTENCY-KEY': randomUUID() };
    // A machine that is too busy to publish it in time says 503, and what it made when it is asked again.
    return until(30_000, async () => {
      const answer = await send(base, tenant.managementKey, `POST ${path}`, { headers, body });
      expect(answer.status, answer.text).to.equal(201);
      return answer.body;
    });
  };
  const updated = await make('/proxies', { ...proxy, configuration: { a: 'b' } });
  const deleted = await make('/proxies', proxy);
  const application = await make('/applications', { name: 'a', type: 'private', permissions: ['token:use'] });
  const rolledOut = await make('/proxies', proxy);
  await make(`/proxies/${rolledOut.id}/versions`, { ...proxy, name: 'second' });
  const ids = {
    updated: updated.id,
    deleted: deleted.id,
    application: application.id,
    rolledOut: rolledOut.id,
  };
  return { tenant, ids, proxyKey: rolledOut.key, oldKey: application.key, order: `order of ${updated.id}` };
}

const create = (base: string, { tenant, order }: World) =>
  send(base, tenant.managementKey, 'POST /proxies', {
    headers: { 'SVC-IDEMPOTENCY-KEY': order },
    body: { ...proxy, name: order },
  });

/** Five changes at once; null where the answer never came. */
async function change(base: string, world: World): Promise<(Answer | null)[]> {
  const { tenant, ids } = world;
  const attempt = (request: string, body?: object) =>
    send(base, tenant.managementKey, request, { ...(body && { body }) });
  const answers = [
    create(base, world),
    attempt(`PUT /proxies/${ids.updated}`, { ...proxy, name: 'updated' }),
    attempt(`DELETE /proxies/${ids.deleted}`),
    attempt(`POST /applications/${ids.application}/regenerate`),
    attempt(`PUT /proxies/${ids.rolledOut}/rollout`, { version: 2, percent: 50, by: 'header:x' }),
  ];
  return Promise.all(answers.map((answer) => answer.catch(() => null)));
}

const successes = [201, 200, 204, 200, 200];

/** What was answered with success holds after recovery; what was not has happened whole, or not at all. */
async function expectWhole(api: TestApi, world: World, answers: (Answer | null)[]): Promise<void> {
  const { tenant, ids, oldKey, order } = world;
  const { managementKey: key } = tenant;
  const statuses = answers.map((answer) => answer?.status);
  for (const [n, status] of statuses.entries()) expect(status).to.be.oneOf([successes[n], 503, undefined]);
  const either = <T>(n: number, before: T, after: T) =>
    statuses[n] === successes[n] ? [after] : [before, after];

  const again = await create(api.base, world);
  expect(again.status, again.text).to.equal(201);
  const known = answers[0]?.status === 201 ? answers[0].body : again.body;
  const named = await api.send(`GET /proxies?name=${encodeURIComponent(order)}`, { key });
  expect(named.body.data.map((made: { id: string; key: string }) => [made.id, made.key])).to.deep.equal([
    [known.id, known.key],
  ]);

  const { name } = (await api.send(`GET /proxies/${ids.updated}`, { key })).body;
  expect(name).to.be.oneOf(either(1, 'before', 'updated'));

  const { status } = await api.send(`GET /proxies/${ids.deleted}`, { key });
  expect(status).to.be.oneOf(either(2, 200, 404));

  const newKey = answers[3]?.status === 200 ? answers[3].body.key : oldKey;
  const own = await api.send('GET /applications/key', { key: newKey });
  expect(own.status === 200 ? own.body.id : own.status).to.be.oneOf(either<unknown>(3, 401, ids.application));
}

/** The rollout is published as it is stored, with its version, or is neither. */
async function expectRollout(
  api: TestApi,
  eyes: ProjectionEyes,
  { tenant, ids, proxyKey }: World,
  answer: Answer | null | undefined,
): Promise<void> {
  const stored = await api.send(`GET /proxies/${ids.rolledOut}/rollout`, { key: tenant.managementKey });
  expect(stored.status).to.be.oneOf(answer?.status === 200 ? [200] : [200, 404]);
  const record = (await eyes.find(proxyRolloutRecord(hashKey(proxyKey))))?.record;
  const published = record?.$case === 'proxyRollout' ? record.value : undefined;
  const whole = { percent: 50, header: 'x', proxyVersion: 2, ended: false };
  if (stored.status === 404) expect(published).to.equal(undefined);
  else expect(published).to.deep.include(whole).and.have.nested.property('proxy.name', 'second');
}

/** An old key that is gone and a new one that is not there yet would be half a change. */
async function expectOneKey(eyes: ProjectionEyes, { ids, oldKey }: World): Promise<void> {
  const { records } = await eyes.see();
  const names = [...records].flatMap(([name, { record }]) =>
    record?.$case === 'application' && record.value.id === ids.application ? [name] : [],
  );
  const byId = applicationIdRecord(ids.application);
  const byKey = names.find((name) => name !== byId) ?? '';
  expect(names).to.have.members([byId, byKey]);
  expect(records.get(byId)).to.deep.equal(records.get(byKey));
  if (byKey === applicationRecord(hashKey(oldKey))) return;
  const old = await eyes.find(applicationRecord(hashKey(oldKey)));
  expect(old?.record?.$case).to.be.oneOf(['tombstone', undefined]);
}

describe('a publisher that is killed', () => {
  const deaths: [step: Checkpoint, nth: number][] = [
    ...steps.map((step): [Checkpoint, number] => [step, 1]),
    ['committed', 3],
    ['round-committed', 2],
    ['rebuild-page-written', 3],
  ];
  for (const [step, nth] of deaths) {
    it(`at ${step}, time ${nth}, loses nothing and leaves nothing half`, async () => {
      const config = await newInstallation();
      using eyes = await openEyes(config);
      const tenant = await newTenant(config);
      await using mortal: MortalApi = await startMortalApi(config);
      await makeWebhook(mortal.base, tenant);
      const changed = await build(mortal.base, tenant);
      const world = await build(mortal.base, tenant);
      const acknowledged = await change(mortal.base, changed);
      expect(acknowledged.map((answer) => answer?.status)).to.deep.equal(successes);
      mortal.dieAt(step, nth);
      if (step.startsWith('rebuild')) await eyes.command('DEL', `${config.redisPrefix}:marker`);
      const [answers] = await Promise.all([change(mortal.base, world), mortal.dead]);
      if (!step.startsWith('rebuild')) await expectOneKey(eyes, world);

      await using next = await startTestApi({ sealer: reversingSealer }, config);
      await untilWhole(config, eyes);
      await expectOneKey(eyes, world);
      await expectWhole(next, changed, acknowledged);
      await expectWhole(next, world, answers);
      await expectRollout(next, eyes, changed, acknowledged[4]);
      await expectRollout(next, eyes, world, answers[4]);
    });
  }
});
