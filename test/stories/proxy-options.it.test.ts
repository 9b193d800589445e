import { expect } from 'chai';

import { sharedSystem } from '../harness/system.ts';
import { expectProblem, transformStory } from '../harness/transform-story.ts';

/** contract/expressions.md#substitution and contract/proxies.md#proxy-object, over the whole system. */
describe('the options of a proxy', () => {
  const story = transformStory();
  const { post, only, onlyJson, onRequest } = story;
  const proxyWith = (more: object) => story.api.proxy(story.destination.url, more);

  it('disable_detokenization leaves every body as it is', async () => {
    const id = await story.api.token({ type: 'token', data: 'never-sent' });
    const proxy = await proxyWith({ disable_detokenization: true });
    expect(proxy.disable_detokenization).to.equal(true);
    const body = `{ "a": "{{ ${id} }}", "b": "{{ no such thing", "c": "{{ config: X }}" }`;
    await post(proxy, { body, headers: { 'X-Sent': '{{ config: X }}' } });
    expect(only().body.toString()).to.equal(body);
    expect(only().headers['x-sent']).to.equal('{{ config: X }}');
  });

  it('disable_detokenization gives a transform literal text, and refuses a body that is not JSON', async () => {
    const proxy = await onRequest('({ args }) => ({ body: { got: args.body.a } })', {
      disable_detokenization: true,
    });
    await post(proxy, { body: { a: '{{ anything }}' } });
    expect(onlyJson()).to.deep.equal({ got: '{{ anything }}' });
    expectProblem(await post(proxy, { body: '{"a":' }), 400, /not valid JSON/);
  });

  it('disable_detokenization can be taken back', async () => {
    const id = await story.api.token({ type: 'token', data: 'sent' });
    const proxy = await proxyWith({ disable_detokenization: true, timeout: 5 });
    const patched = await story.api.send('PATCH', `/proxies/${proxy.id}`, {
      key: (await sharedSystem()).dev.management_api_key,
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: { disable_detokenization: null, timeout: null },
    });
    expect(patched.status, patched.text).to.equal(204);
    const { json } = await story.api.manage('GET', `/proxies/${proxy.id}`);
    expect(json).to.not.have.any.keys('disable_detokenization', 'timeout');
    await post(proxy, { body: { a: `{{ ${id} }}` } });
    expect(onlyJson()).to.deep.equal({ a: 'sent' });
  });

  it('timeout ends the wait for a destination', async () => {
    const proxy = await proxyWith({ timeout: 1 });
    expect(proxy.timeout).to.equal(1);
    story.destination.answer = () => undefined;
    expectProblem(await post(proxy), 408, /did not answer in time/);
  });

  it('are refused with everything that is wrong', async () => {
    const sent = { name: 'x', destination_url: 'https://example.org', disable_detokenization: 'yes' };
    for (const timeout of [0, 31, 1.5, '5']) {
      const { status, json } = await story.api.manage('POST', '/proxies', { ...sent, timeout });
      expect(status).to.equal(400);
      expect(json.errors).to.have.all.keys('disable_detokenization', 'timeout');
    }
  });
});
