import { hashKey } from '@glovebox/access/api-key';
import { proxyRecord, reactorRecord, tenantRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Answer, type TestApi, startTestApi } from './harness/api.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';

const mergePatch = { headers: { 'Content-Type': 'application/merge-patch+json' } };
const sent = ['API.Stripe.com', '*.bücher.example', 'pay.example:8443', 'api.stripe.com:443'];
const stored = ['api.stripe.com', '*.xn--bcher-kva.example', 'pay.example:8443'];

const refused: readonly [list: unknown, path: string, problem: string][] = [
  ['api.stripe.com', '', 'must be an array of 0 to 50 hosts'],
  [Array.from({ length: 51 }, (_, at) => `h${at}.example`), '', 'must be an array of 0 to 50 hosts'],
  [
    ['a.example', '*'],
    '[1]',
    'must not cover all hosts, nor all below a public suffix such as com or github.io',
  ],
  [['*.co.uk'], '[0]', 'must not cover all hosts, nor all below a public suffix such as com or github.io'],
  [['127.0.0.1'], '[0]', 'must be a DNS name, not an IP address'],
  [[7], '[0]', 'must be a string'],
];

describe('where requests may go', () => {
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

  const resources = {
    proxies: {
      body: { name: 'p', destination_url: 'https://ledger.example.com' },
      record: ({ key }: { key: string }) => proxyRecord(hashKey(key)),
    },
    reactors: {
      body: { name: 'r', code: 'module.exports = async (req) => ({ raw: req.args })' },
      record: ({ id }: { id: string }) => reactorRecord(id),
    },
  };
  for (const [kind, { body, record }] of Object.entries(resources)) {
    const read = async (id: string) =>
      (await api.send(`GET /${kind}/${id}`)).body as { allowed_destinations?: readonly string[] };

    it(`${kind} keep, show and publish allowed_destinations, normalised`, async () => {
      const { status, body: made } = await api.send(`POST /${kind}`, {
        body: { ...body, allowed_destinations: sent },
      });
      expect(status).to.equal(201);
      expect(made).to.deep.include({ allowed_destinations: stored });
      const published = async () => (await eyes.find(record(made)))?.record?.value;
      expect(await published()).to.deep.include({ allowedDestinations: { patterns: stored } });

      const patch = (allowed: unknown) =>
        api.send(`PATCH /${kind}/${made.id}`, { body: { allowed_destinations: allowed }, ...mergePatch });
      await api.send(`PATCH /${kind}/${made.id}`, { body: { name: 'x' }, ...mergePatch });
      expect(await read(made.id)).to.deep.include({ allowed_destinations: stored });
      expect((await patch([])).status).to.equal(204);
      expect(await read(made.id)).to.deep.include({ allowed_destinations: [] });
      expect(await published()).to.deep.include({ allowedDestinations: { patterns: [] } });
      expect((await patch(null)).status).to.equal(204);
      expect(await read(made.id)).to.not.have.property('allowed_destinations');
      expect(await published()).to.deep.include({ allowedDestinations: undefined });

      await patch(sent);
      expect((await api.send(`PUT /${kind}/${made.id}`, { body })).status).to.equal(200);
      expect(await read(made.id)).to.not.have.property('allowed_destinations');
    });

    it(`${kind} with a list that is none are refused`, async () => {
      const { body: made } = await api.send(`POST /${kind}`, { body });
      for (const [list, path, problem] of refused) {
        const wrong = { ...body, allowed_destinations: list };
        for (const answer of [
          await api.send(`POST /${kind}`, { body: wrong }),
          await api.send(`PUT /${kind}/${made.id}`, { body: wrong }),
          await api.send(`PATCH /${kind}/${made.id}`, { body: wrong, ...mergePatch }),
        ]) {
          expectRefusal(answer, `allowed_destinations${path}`, problem);
        }
      }
    });
  }

  it('a tenant has an egress policy, which is off until it is set, and is published with the tenant', async () => {
    const off = { mode: 'off', destinations: [], ephemeral: true };
    const policy = async () => (await api.send('GET /tenants/self/egress-policy')).body;
    const put = (body: unknown) => api.send('PUT /tenants/self/egress-policy', { body });
    expect(await policy()).to.deep.equal(off);
    const set = { mode: 'enforce', destinations: stored, ephemeral: false };
    const answer = await put({ ...set, destinations: sent });
    expect([answer.status, answer.body]).to.deep.equal([200, set]);
    expect(await policy()).to.deep.equal(set);
    const record = async () => (await eyes.find(tenantRecord(api.tenant.id)))?.record?.value;
    expect(await record()).to.deep.include({
      egressPolicy: { mode: 'enforce', destinations: { patterns: stored }, ephemeral: false },
    });

    expect((await api.send('PUT /tenants/self', { body: { name: 'Renamed' } })).status).to.equal(200);
    expect(await policy()).to.deep.equal(set);
    await put({ mode: 'report' });
    expect(await policy()).to.deep.equal({ ...off, mode: 'report' });
  });

  it('an egress policy that is none is refused', async () => {
    const put = (body: unknown) => api.send('PUT /tenants/self/egress-policy', { body });
    expectRefusal(await put({}), 'mode', 'is required');
    expectRefusal(await put({ mode: 'on' }), 'mode', 'must be one of off, report, enforce');
    expectRefusal(await put({ mode: 'off', ephemeral: 'yes' }), 'ephemeral', 'must be a boolean');
    for (const [list, path, problem] of refused)
      expectRefusal(await put({ mode: 'enforce', destinations: list }), `destinations${path}`, problem);
  });
});

function expectRefusal({ status, body }: Answer, path: string, problem: string): void {
  expect([status, body.errors]).to.deep.equal([400, { [path]: [problem] }]);
}
