import { hashKey } from '@glovebox/access/api-key';
import { applicationIdRecord, applicationRecord } from '@glovebox/published/keys';
import { webhookEvents } from '@glovebox/published/webhook-events';
import { expect } from 'chai';

import { type Step, steps } from '../src/outbox/step.ts';
import { type Answer, type TestApi, type TestTenant, newTenant, send, startTestApi } from './harness/api.ts';
import { type MortalApi, startMortalApi } from './harness/mortal.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';
import { untilWhole } from './harness/whole.ts';

const proxy = { name: 'before', destination_url: 'https://example.com' };

/** What exists, and was acknowledged, before the process dies. */
interface World {
  readonly tenant: TestTenant;
  readonly ids: { readonly updated: string; readonly deleted: string; readonly application: string };
  /** Of the application. */
  readonly oldKey: string;
}

async function build(base: string, tenant: TestTenant): Promise<World> {
  const make = async (path: string, body: object) => {
    const answer = await send(base, tenant.managementKey, `POST ${path}`, { body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  // Somebody is to be told of the changes.
  await make('/webhooks', { name: 'w', url: 'https://example.com', events: webhookEvents });
  const updated = await make('/proxies', { ...proxy, configuration: { a: 'b' } });
  const deleted = await make('/proxies', proxy);
  const application = await make('/applications', { name: 'a', type: 'private', permissions: ['token:use'] });
  const ids = { updated: updated.id, deleted: deleted.id, application: application.id };
  return { tenant, ids, oldKey: application.key };
}

/** Four changes at once; null where the answer never came. */
async function change(base: string, { tenant, ids }: World): Promise<(Answer | null)[]> {
  const attempt = (request: string, body?: object, headers: Record<string, string> = {}) =>
    send(base, tenant.managementKey, request, { headers, ...(body && { body }) }).catch(() => null);
  return Promise.all([
    attempt('POST /proxies', { ...proxy, name: 'created' }, { 'SVC-IDEMPOTENCY-KEY': 'order-1' }),
    attempt(`PUT /proxies/${ids.updated}`, { ...proxy, name: 'updated' }),
    attempt(`DELETE /proxies/${ids.deleted}`),
    attempt(`POST /applications/${ids.application}/regenerate`),
  ]);
}

/** Whatever was answered with success holds after recovery. */
async function expectAcknowledged(api: TestApi, world: World, answers: (Answer | null)[]): Promise<void> {
  const { managementKey: key } = world.tenant;
  const [created, updated, deleted, regenerated] = answers;
  if (created?.status === 201) {
    expect((await api.send(`GET /proxies/${created.body.id}`, { key })).body).to.include({
      key: created.body.key,
    });
  }
  if (updated?.status === 200) {
    expect((await api.send(`GET /proxies/${world.ids.updated}`, { key })).body.name).to.equal('updated');
  }
  if (deleted?.status === 204) {
    expect((await api.send(`GET /proxies/${world.ids.deleted}`, { key })).status).to.equal(404);
  }
  if (regenerated?.status === 200) {
    const own = await api.send('GET /applications/key', { key: regenerated.body.key });
    expect(own.body.id).to.equal(world.ids.application);
  }
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
  const deaths: [step: Step, nth: number][] = [
    ...steps.map((step): [Step, number] => [step, 1]),
    ['committed', 3],
    ['entry-published', 2],
    ['entry-published', 3],
    ['turn-committed', 2],
    ['rebuild-page-written', 3],
  ];
  for (const [step, nth] of deaths) {
    it(`at ${step}, time ${nth}, loses nothing and leaves nothing half`, async () => {
      const config = await newInstallation();
      using eyes = await openEyes(config);
      const tenant = await newTenant(config);
      const mortal: MortalApi = await startMortalApi(config);
      const world = await build(mortal.base, tenant);
      mortal.dieAt(step, nth);
      if (step.startsWith('rebuild')) await eyes.command('DEL', `${config.redisPrefix}:marker`);
      const [answers] = await Promise.all([change(mortal.base, world), mortal.dead]);
      if (!step.startsWith('rebuild')) await expectOneKey(eyes, world);

      await using next = await startTestApi({ sealer: reversingSealer }, config);
      await untilWhole(config, eyes);
      await expectOneKey(eyes, world);
      await expectAcknowledged(next, world, answers);
    });
  }
});
