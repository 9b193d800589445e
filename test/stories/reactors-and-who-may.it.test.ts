import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import type { Json } from '../harness/api.ts';
import { expectError, reactorStory } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';
import { withoutTrace } from '../harness/without-trace.ts';

/** contract/errors.md#status-codes. */
describe('a reactor is invoked', () => {
  const story = reactorStory();
  const { react, reactor } = story;
  let made: Json;
  before(async () => {
    made = await reactor('({ args }) => ({ raw: args })');
  });

  const application = (permissions: string[], rules: object[] = []): Promise<Json> =>
    story.api.application({ name: 'who', type: 'private', permissions, rules });
  const use = (container: string, transform = 'reveal') => ({
    description: '',
    priority: 1,
    container,
    transform,
    permissions: ['token:use'],
  });

  it('not without a valid key', async () => {
    for (const key of ['', 'key_1111111111111111111111', 'no key']) {
      expectError(await react(made, {}, { key }), 401, /Unauthorized/);
    }
    expectError(await story.api.send('POST', `/reactors/${made.id}/react`, { body: {} }), 401, /SVC-API-KEY/);
  });

  it('not without token:use, be it only for one container', async () => {
    const without = await application(['token:create', 'token:read']);
    expectError(await react(made, {}, { key: without.key }), 403, /token:use/);
    const somewhere = await application([], [use('/a/')]);
    expect((await react(made, { a: 1 }, { key: somewhere.key })).json).to.deep.equal({ raw: { a: 1 } });
    const management = (await sharedSystem()).dev.management_api_key;
    expectError(await react(made, {}, { key: management }), 403, /management/);
  });

  it('in whatever view token:use is granted, but with no token unless that reveals', async () => {
    const token = await story.api.token({ type: 'token', data: 'in', containers: ['/react/a/'] });
    for (const transform of ['redact', 'mask']) {
      const { key } = await application([], [use('/', transform)]);
      expect((await react(made, { a: 1 }, { key })).json).to.deep.equal({ raw: { a: 1 } });
      const refused = await react(made, { t: `{{${token}}}` }, { key });
      expectError(refused, 403, /Forbidden/);
      expect(refused.text).to.not.contain('"in"');
    }
  });

  it('with no token outside of the containers whose use is granted', async () => {
    const { key } = await application([], [use('/react/a/')]);
    const inside = await story.api.token({ type: 'token', data: 'in', containers: ['/react/a/'] });
    const outside = await story.api.token({ type: 'token', data: 'out', containers: ['/react/b/'] });
    expect((await react(made, { t: `{{${inside}}}` }, { key })).json).to.deep.equal({ raw: { t: 'in' } });
    const refused = await react(made, { t: `{{${inside}}}`, u: `{{${outside}}}` }, { key });
    expectError(refused, 403, /Forbidden/);
    expect(refused.text).to.not.match(/"(in|out)"/);
  });

  it('not by another tenant, which does not learn that it exists', async () => {
    const other = await anotherTenant(await sharedSystem(), 'Others');
    const body = { name: 'theirs', type: 'private', permissions: ['token:use'] };
    const { key } = (await story.api.send('POST', '/applications', { key: other.management_api_key, body }))
      .json;
    const foreign = await react(made, {}, { key });
    const unknown = await react({ id: randomUUID() }, {}, { key });
    expectError(foreign, 404, /no reactor/);
    expect(withoutTrace(foreign.text)).to.equal(withoutTrace(unknown.text));
  });

  it('by its id only, in either case', async () => {
    for (const id of [randomUUID(), 'x', `${made.id}0`, '%00', '..', `${made.id}%2F`]) {
      expectError(await react({ id }, {}), 404, /no reactor|nothing/);
    }
    expect((await react({ id: made.id.toUpperCase() }, {})).status).to.equal(200);
  });

  it('until the key is revoked', async () => {
    const { id, key } = await application(['token:use']);
    expect((await react(made, {}, { key })).status).to.equal(200);
    await story.api.manage('DELETE', `/applications/${id}`);
    await until('the key is unknown', async () => (await react(made, {}, { key })).status === 401);
  });
});
