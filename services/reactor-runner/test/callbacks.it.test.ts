import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { deliveryStory } from './delivery-story.ts';
import { failureOf } from './expect-failure.ts';
import type { Received } from './receiver.ts';

const canary = 'canary-4111111111111111';

/** contract/reactors.md#asynchronous-invocation. */
describe('results that are sent to a callback', () => {
  const story = deliveryStory();
  const { react, told } = story;

  const callback = (id: string, args: object = {}, path = '/result?token=a') =>
    react(id, { args, callback_url: story.receiver.url + path }) as Promise<{ requestId: string }>;

  it('bring what the invocation would have been answered, again until they are acknowledged', async () => {
    const answers = [500];
    story.receiver.answer = (response) => response.writeHead(answers.shift() ?? 200).end();
    const id = await story.publisher.reactor(story.tenant, 'module.exports = ({ args }) => ({ raw: args })');
    const { requestId } = await callback(id, { pan: canary });
    await told(2);
    for (const { path, headers, text } of story.receiver.received) {
      expect(path).to.equal('/result?token=a');
      expect(JSON.parse(text)).to.deep.equal({ raw: { pan: canary } });
      expect(headers).to.include({
        'content-type': 'application/json',
        'svc-reactor-status': '200',
        'svc-webhook-id': requestId,
        'svc-trace-id': 'correlation-1',
      });
      expect(headers).to.not.have.any.keys('svc-signature', 'svc-signature-version');
    }
  });

  it('bring errors as well', async () => {
    const cases = [
      ['throw new TypeError("told")', '500', 'Reactor Runtime Error', 'internal'],
      [
        `throw { name: 'RateLimitError', status: 429, errors: { a: ['b'] } }`,
        '429',
        'Rate Limit',
        'rate_limited',
      ],
    ] as const;
    for (const [code, status, detail, errorCode] of cases) {
      story.receiver.received.length = 0;
      await callback(await story.publisher.reactor(story.tenant, `module.exports = () => { ${code} }`));
      await told(1);
      const [one] = story.receiver.received as [Received];
      expect(one.headers['svc-reactor-status']).to.equal(status);
      expect(JSON.parse(one.text)).to.include({
        status: Number(status),
        code: errorCode,
        trace_id: one.headers['svc-trace-id'],
        doc_url: `http://localhost/docs/errors#${errorCode}`,
      });
      expect(one.text).to.contain(detail);
    }
  });

  it('hold neither result nor address in Redis in clear while they wait', async () => {
    story.receiver.answer = (response) => response.writeHead(500).end();
    story.vault.places.length = 0;
    const id = await story.publisher.reactor(story.tenant, 'module.exports = ({ args }) => ({ raw: args })');
    const { requestId } = await callback(id, {}, '/result?token=secret-of-theirs');
    await told(1);
    const fields = story.vault.places.filter(({ recordId }) => recordId === id).map(({ field }) => field);
    expect(fields).to.include.members(
      ['arguments', 'callback', 'result'].map((part) => `job.${requestId}.${part}`),
    );
    const job = await story.publisher.redis.hgetall(
      `${story.publisher.prefix}:bull:deliveries:callback.${requestId}`,
    );
    expect(JSON.stringify(job)).to.not.contain('secret-of-theirs');
  });

  it('are refused at once for an address that may not be dialled', async () => {
    const id = await story.publisher.reactor(story.tenant, 'module.exports = () => ({})');
    const refused = async (body: object) => {
      const { code, errors } = await failureOf(react(id, body));
      expect(code).to.equal('invalid_argument');
      return Object.keys(errors);
    };
    for (const url of [
      'http://example.com',
      'https://10.0.0.1',
      'file:///x',
      '',
      7,
      {},
      'https://u:p@example.com',
    ]) {
      expect(await refused({ callback_url: url }), JSON.stringify(url)).to.deep.equal(['callback_url']);
      expect(await refused({ callbackUrl: url }), JSON.stringify(url)).to.deep.equal(['callbackUrl']);
    }
    const two = { callback_url: story.receiver.url, callbackUrl: `${story.receiver.url}/other` };
    expect(await refused(two)).to.deep.equal(['callbackUrl']);
    expect(await react(id, { callback_url: null })).to.deep.equal({});
    expect((await failureOf(callback(randomUUID()))).code).to.equal('not_found');
  });
});
