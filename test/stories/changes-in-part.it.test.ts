import { expect } from 'chai';

import { type OtherTenant, anotherTenant } from '../harness/another-tenant.ts';
import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { reactorStory } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';

const mergePatch = { 'Content-Type': 'application/merge-patch+json' };

/**
 * PATCH, over the whole system (contract/proxies.md#management and contract/reactors.md#reactor-object): what is
 * answered is in force.
 */
describe('a change of a part', () => {
  const story = reactorStory();
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  let other: OtherTenant;
  let key: string;
  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    key = system.dev.management_api_key;
    destination = await startDestination();
    other = await anotherTenant(system, 'patchers');
  });
  after(() => destination[Symbol.asyncDispose]());

  const patch = (path: string, body: unknown, as = key) =>
    api.send('PATCH', path, { key: as, body, headers: mergePatch });
  const code = (text: string) => `module.exports = ({ configuration }) => ({ body: { ${text} } })`;

  it('of a proxy: it applies to the next request, and nothing else has changed', async () => {
    const proxy: Json = await api.proxy(destination.url, {
      configuration: { A: 'a', B: 'b' },
      request_transform: { code: code('first: configuration') },
    });
    const sent = {
      configuration: { A: null, C: 'c' },
      request_transform: { code: code('second: configuration') },
    };
    const answer = await patch(`/proxies/${proxy.id}`, sent);
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    expect((await api.invoke(proxy.key, 'POST', '', { body: {} })).status).to.equal(200);
    expect(JSON.parse(String(destination.received.at(-1)?.body))).to.deep.equal({
      second: { B: 'b', C: 'c' },
    });
    const { json: after } = await api.manage('GET', `/proxies/${proxy.id}`);
    const { modified_at: _at, modified_by: _by, ...rest } = after;
    expect(rest).to.deep.equal({
      ...proxy,
      state: 'active',
      configuration: { B: 'b', C: 'c' },
      request_transform: sent.request_transform,
    });
    expect((await patch(`/proxies/${proxy.id}/`, { configuration: null })).status).to.equal(204);
    expect((await api.manage('GET', `/proxies/${proxy.id}`)).json).not.to.have.property('configuration');
  });

  it('of a reactor: it applies to the next invocation', async () => {
    const made = await story.reactor(
      '({ configuration }) => ({ raw: configuration })',
      {
        settings: { N: 'number' },
      },
      { configuration: { N: 1 } },
    );
    expect((await patch(`/reactors/${made.id}`, { configuration: { N: 2, X: 'x' } })).status).to.equal(204);
    expect((await story.react(made, {})).json).to.deep.equal({ raw: { N: 2, X: 'x' } });
    const refused = await patch(`/reactors/${made.id}`, { name: '', configuration: null });
    expect(refused.status).to.equal(400);
    expect(refused.json).to.deep.include({
      errors: { name: ['must not be empty'], 'configuration.N': ['is required'] },
      title: 'One or more validation errors occurred.',
      status: 400,
      detail: 'name: must not be empty',
    });
  });

  it('of many at once loses none', async () => {
    const proxy = await api.proxy(destination.url);
    const names = Array.from({ length: 10 }, (_, i) => `N${i}`);
    const answers = await Promise.all(
      names.map((name) => patch(`/proxies/${proxy.id}`, { configuration: { [name]: name } })),
    );
    for (const { status, text } of answers) expect(status, text).to.equal(204);
    expect((await api.manage('GET', `/proxies/${proxy.id}`)).json.configuration).to.deep.equal(
      Object.fromEntries(names.map((name) => [name, name])),
    );
  });

  it('comes as a merge patch (415), with a key (401) that may (403), and of one’s own (404)', async () => {
    const proxy = await api.proxy(destination.url);
    const reactor = await story.reactor('() => ({})');
    const { dev } = await sharedSystem();
    for (const path of [`/proxies/${proxy.id}`, `/reactors/${reactor.id}`]) {
      const wrong = await api.send('PATCH', path, { key, body: { name: 'x' } });
      expect(wrong.status).to.equal(415);
      expect(wrong.json).to.deep.include({
        errors: {},
        title: 'Unsupported Media Type',
        status: 415,
        detail: 'The content type must be application/merge-patch+json in UTF-8.',
      });
      expect((await api.send('PATCH', path, { body: {}, headers: mergePatch })).status).to.equal(401);
      expect((await patch(path, { name: 'x' }, dev.private_api_key)).status).to.equal(403);
      expect((await patch(path, { name: 'x' }, other.management_api_key)).status).to.equal(404);
      expect((await api.manage('GET', path)).json.name).to.equal('story');
    }
  });
});

/** Code in place of a formula (contract/reactors.md#reactor-object). */
describe('a reactor with code of its own', () => {
  const story = reactorStory();

  it('runs it on all arguments, shows it, and runs what a patch makes of it', async () => {
    const { api } = story;
    const token = await story.api.token({ type: 'token', data: { deep: [1] } });
    const code = 'module.exports = ({ args, configuration }) => ({ raw: { args, configuration } })';
    const made = await api.manage('POST', '/reactors', { name: 'own', code, configuration: { K: 'k' } });
    expect(made.status, made.text).to.equal(201);
    expect(made.json).to.include({ code, state: 'active' }).and.not.to.have.property('formula');
    const answer = await story.react(made.json, { any: `{{ ${token} }}`, n: 1 });
    expect(answer.json).to.deep.equal({
      raw: { args: { any: { deep: [1] }, n: 1 }, configuration: { K: 'k' } },
    });
    const { dev } = await sharedSystem();
    const sent = { key: dev.management_api_key, headers: mergePatch };
    const path = `/reactors/${made.json.id}`;
    const next = 'module.exports = () => ({ raw: "patched" })';
    expect((await api.send('PATCH', path, { ...sent, body: { code: next } })).status).to.equal(204);
    expect((await story.react(made.json, {})).json).to.deep.equal({ raw: 'patched' });
    const broken = await api.send('PATCH', path, { ...sent, body: { code: 'module.exports = (' } });
    expect(broken.status).to.equal(400);
    expect(broken.json.errors).to.have.all.keys('code');
    expect((await api.manage('DELETE', path)).status).to.equal(204);
    expect((await story.react(made.json, {})).status).to.equal(404);
  });
});
