import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { transformStory } from '../harness/transform-story.ts';
import { until } from '../harness/until.ts';

/** contract/transforms.md#code, over the whole system: what concerns both sides. */
describe('a transform', () => {
  const story = transformStory();
  const { only, onResponse, post } = story;

  it('on both sides, with expressions, each with its own code', async () => {
    const id = await story.api.token({ type: 'token', data: 'value' });
    story.destination.answer = (received, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(received.body);
    };
    const proxy = await story.api.proxy(story.destination.url, {
      request_transform: { code: 'module.exports = ({ args }) => ({ ...args, body: { in: args.body } })' },
      response_transform: { code: 'module.exports = ({ args }) => ({ ...args, body: { out: args.body } })' },
    });
    expect((await post(proxy, { body: { t: `{{${id}}}` } })).json).to.deep.equal({
      out: { in: { t: 'value' } },
    });
  });

  it('of the response leaves a streamed request alone', async () => {
    const proxy = await onResponse('({ args }) => ({ body: args.body })');
    const body = Buffer.alloc(3_000_000, 'x');
    const answer = await post(proxy, { headers: { 'Content-Type': 'application/octet-stream' }, body });
    expect(answer.json).to.deep.equal({ ok: true });
    expect(only().body.equals(body)).to.equal(true);
  });

  it('takes effect when it is changed, together with its configuration, and ends when it is removed', async () => {
    const create = (n: number) => ({
      name: 'story',
      destination_url: story.destination.url,
      request_transform: {
        code: `module.exports = ({ configuration }) => ({ body: { n: ${n}, configuration } })`,
      },
      configuration: { K: `k${n}` },
    });
    const proxy = await story.api.proxy(story.destination.url, create(0));
    const seen = async () => {
      expect((await post(proxy, { body: { raw: true } })).status).to.be.oneOf([200, 503]);
      return JSON.parse(story.destination.received.at(-1)?.body.toString() ?? 'null') as Json;
    };
    for (let n = 1; n <= 5; n += 1) {
      expect((await story.api.manage('PUT', `/proxies/${proxy.id}`, create(n))).status).to.equal(200);
      await until(`version ${n} of the code runs`, async () => {
        const { n: ran, configuration } = await seen();
        expect(configuration, 'code and configuration are of one version').to.deep.equal({ K: `k${ran}` });
        return ran === n;
      });
    }
    const { request_transform: _, ...plain } = create(6);
    await story.api.manage('PUT', `/proxies/${proxy.id}`, plain);
    await until('it is forwarded as it is', async () => (await seen()).raw === true);
  });
});
