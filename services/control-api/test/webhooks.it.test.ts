import { randomUUID } from 'node:crypto';

import { webhooksRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Answer, type TestApi, type TestTenant, startTestApi } from './harness/api.ts';
import { openEyes } from './harness/projection.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { untilWhole } from './harness/whole.ts';

const input = { name: 'told', url: 'https://example.com/hook?a=1', events: ['reactor.completed'] };

/** contract/webhooks.md#webhook-object. */
describe('webhooks', () => {
  let api: TestApi;
  let tenant: TestTenant;

  before(async () => {
    api = await startTestApi({ sealer: reversingSealer });
  });
  after(() => api[Symbol.asyncDispose]());
  beforeEach(async () => {
    tenant = await api.newTenant();
  });

  const send = (request: string, body?: unknown): Promise<Answer> =>
    api.send(request, { key: tenant.managementKey, ...(body === undefined ? {} : { body }) });
  const create = async (more: object = {}): Promise<Answer> => {
    const answer = await send('POST /webhooks', { ...input, ...more });
    expect(answer.status, answer.text).to.equal(201);
    return answer;
  };
  const json = ({ text }: Answer) => JSON.parse(text) as Record<string, unknown>;

  it('tell their secret when they are made, and never again', async () => {
    const made = json(await create({ notify_email: 'ops@example.com' }));
    expect(made).to.include({ tenant_id: tenant.id, status: 'enabled', notify_email: 'ops@example.com' });
    expect(made['events']).to.deep.equal(['reactor.completed']);
    expect(made['secret']).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = await send(`GET /webhooks/${String(made['id'])}`);
    const { secret: _secret, ...rest } = made;
    expect(json(shown)).to.deep.equal(rest);
    expect((await send('GET /webhooks')).text).to.not.contain('whsec_');
  });

  it('are replaced by an update, which leaves the secret as it is', async () => {
    const { id } = (await create({ notify_email: 'a@b' })).body;
    const answer = await send(`PUT /webhooks/${id}`, { ...input, name: 'other', status: 'disabled' });
    expect(answer.status, answer.text).to.equal(200);
    expect(json(answer)).to.include({ name: 'other', status: 'disabled' });
    expect(json(answer)).to.have.any.keys('modified_by').and.not.have.any.keys('notify_email', 'secret');
  });

  it('get another secret, with the time at which the one before ends', async () => {
    const made = json(await create());
    const rotated = json(await send(`POST /webhooks/${String(made['id'])}/rotate-secret`));
    expect(rotated['secret'])
      .to.match(/^whsec_/)
      .and.not.equal(made['secret']);
    const left = Date.parse(String(rotated['previous_secret_until'])) - Date.now();
    expect(left).to.be.within(86_300_000, 86_400_000);
  });

  it('are listed page by page', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push((await create({ name: `n${n}` })).body.id);
    const seen: string[] = [];
    let path = '/webhooks?size=2';
    for (let pages = 1; ; pages += 1) {
      const page = json(await send(`GET ${path}`)) as {
        data: { id: string }[];
        pagination: { next?: string };
      };
      seen.push(...page.data.map(({ id }) => id));
      if (page.pagination.next === undefined) {
        expect(pages).to.equal(2);
        break;
      }
      path = `/webhooks?size=2&start=${page.pagination.next}`;
    }
    expect(seen.toSorted()).to.deep.equal(ids.toSorted());
    expect((await send('GET /webhooks?start=nonsense')).status).to.equal(400);
  });

  it('are five of one tenant at most, also when several are created at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('POST /webhooks', input)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).to.have.lengthOf(5);
    expect(answers.filter(({ status }) => status === 422)).to.have.lengthOf(3);
    const [first] = made;
    expect((await send(`DELETE /webhooks/${first?.body.id ?? ''}`)).status).to.equal(204);
    expect((await send('POST /webhooks', input)).status).to.equal(201);
  });

  it('are refused with every problem at once', async () => {
    const answer = await send('POST /webhooks', {
      name: '',
      url: 'http://example.com',
      events: ['reactor.completed', 'nothing'],
      notify_email: 'x',
      status: 'on',
    });
    expect(answer.status).to.equal(400);
    expect(Object.keys(answer.body.errors).toSorted()).to.deep.equal(
      ['events[1]', 'name', 'notify_email', 'status', 'url'].toSorted(),
    );
    const urls = [
      'https://127.0.0.1/x',
      'https://localhost',
      'https://u:p@example.com',
      'ftp://example.com',
      7,
    ];
    for (const url of urls) {
      expect(
        Object.keys((await send('POST /webhooks', { ...input, url })).body.errors),
        String(url),
      ).to.deep.equal(['url']);
    }
    for (const events of [undefined, null, [], 'reactor.failed', [null]]) {
      const refused = await send('POST /webhooks', { ...input, events });
      expect(refused.status, JSON.stringify(events)).to.equal(400);
      expect(Object.keys(refused.body.errors)[0]).to.match(/^events/);
    }
  });

  it('are there for their tenant and for callers who have the permission', async () => {
    const { id } = (await create()).body;
    const stranger = (await api.newTenant()).managementKey;
    for (const request of [
      `GET /webhooks/${id}`,
      `PUT /webhooks/${id}`,
      `DELETE /webhooks/${id}`,
      `POST /webhooks/${id}/rotate-secret`,
    ]) {
      const body = request.startsWith('PUT') ? { body: input } : {};
      expect((await api.send(request, { key: stranger, ...body })).status, request).to.equal(404);
      expect((await api.send(request, { key: tenant.privateKey, ...body })).status, request).to.equal(403);
      expect((await api.send(request, { key: null, ...body })).status, request).to.equal(401);
    }
    expect((await send(`GET /webhooks/${randomUUID()}`)).status).to.equal(404);
    const types = await send('GET /webhooks/event-types/');
    expect(JSON.parse(types.text)).to.include.members([
      'reactor.invoked',
      'reactor.completed',
      'reactor.failed',
    ]);
  });

  it('are published as one list, which is whole again after everything, and gone with the tenant', async () => {
    using eyes = await openEyes(api.config);
    const record = async () => (await eyes.find(webhooksRecord(tenant.id)))?.record;
    const { id } = (await create()).body;
    await create({ status: 'disabled' });
    await send(`POST /webhooks/${id}/rotate-secret`);
    const found = await record();
    expect(found?.$case).to.equal('webhooks');
    const endpoints = found?.$case === 'webhooks' ? found.value.endpoints : [];
    expect(
      endpoints.map((endpoint) => [endpoint.id, endpoint.secrets.map(({ number }) => number)]),
    ).to.deep.equal([[id, [2, 1]]]);
    await untilWhole(api.config, eyes);
    expect((await send('DELETE /tenants/self')).status).to.equal(204);
    expect((await record())?.$case).to.equal('tombstone');
  });
});
