import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { expectProblem, transformStory } from '../harness/transform-story.ts';

/** interface.md section 4.8, "Tokenizing or detokenizing in a transform", and section 5, point 7. */
describe('bt in a transform', () => {
  const story = transformStory();
  const { onRequest, onResponse, post } = story;

  const application = (rules: object[], type = 'private'): Promise<Json> =>
    story.api.application({ name: 'code', type, rules });
  const ruled = (transform: string, permissions: string[], container = '/') => ({
    priority: 1,
    container,
    transform,
    permissions,
  });

  it('tokenizes a value of the response, and the token holds it', async () => {
    const { id } = await application([ruled('mask', ['token:create'])]);
    story.answering('application/json', '{"ssn":"123-45-6789","name":"Ann"}');
    const proxy = await onResponse(
      `async ({ args, bt }) => {
        const token = await bt.tokens.create({ type: 'social_security_number', data: args.body.ssn });
        return { headers: args.headers, body: { ...args.body, ssn: token.id } };
      }`,
      { application: { id } },
    );
    const { json } = await post(proxy);
    expect(json.name).to.equal('Ann');
    expect(json.ssn).to.match(/^[\da-f-]{36}$/);
    const echo = await story.api.proxy(story.destination.url);
    await post(echo, { body: { ssn: `{{${json.ssn}}}` } });
    expect(JSON.parse(story.destination.received.at(-1)!.body.toString())).to.deep.equal({
      ssn: '123-45-6789',
    });
  });

  it('detokenizes a response of the tenant’s own system where a rule reveals', async () => {
    const { id } = await application([ruled('reveal', ['token:read'])]);
    const token = await story.api.token({ type: 'token', data: { secretValue: [1, 'two'] } });
    story.answering('application/json', JSON.stringify({ token }));
    const proxy = await onResponse(
      `async ({ args, bt }) => {
        const { data, tenantId, ...rest } = await bt.tokens.retrieve(args.body.token);
        return { headers: {}, body: { data, knowsTenant: typeof tenantId, id: rest.id } };
      }`,
      { application: { id } },
    );
    expect((await post(proxy)).json).to.deep.equal({
      data: { secretValue: [1, 'two'] },
      knowsTenant: 'string',
      id: token,
    });
  });

  it('is not there when the proxy has no application', async () => {
    const proxy = await onRequest(
      `(req) => ({ headers: {}, body: { keys: Object.keys(req), has: 'bt' in req, type: typeof req.bt } })`,
    );
    await post(proxy);
    expect(story.onlyJson()).to.deep.equal({
      keys: ['args', 'configuration'],
      has: false,
      type: 'undefined',
    });
  });

  it('fails as the code sees it', async () => {
    const { id } = await application([ruled('mask', ['token:create'])], 'public');
    const proxy = await onRequest(
      `async ({ bt }) => {
        const token = await bt.tokens.create({ type: 'token', data: 'x' });
        await bt.tokens.retrieve(token.id);
      }`,
      { application: { id } },
    );
    expectProblem(
      await post(proxy),
      500,
      /GloveboxApiError: Request failed with status code 403 \(main\.js:3:\d+\)/,
    );
  });
});
