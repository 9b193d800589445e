import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { reactorStory } from '../harness/reactor-story.ts';

/**
 * contract/reactors.md#invocation and contract/transforms.md#the-bt-object: `bt` is null when no application is
 * defined.
 */
describe('bt in a reactor', () => {
  const story = reactorStory();
  const { react, reactor } = story;

  const ruled = (transform: string, permissions: string[], container = '/') => ({
    priority: 1,
    container,
    transform,
    permissions,
  });
  const actingAs = async (code: string, ...permissions: string[]): Promise<Json> => {
    const rules = [ruled('reveal', permissions)];
    const { id } = await story.api.application({ name: 'code', type: 'private', rules });
    return reactor(code, {}, { application: { id } });
  };
  const rawOf = async (made: Json, args: unknown = {}) => {
    const answer = await react(made, args);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json.raw;
  };

  it('is null without an application', async () => {
    const made = await reactor('(req) => ({ raw: [Object.keys(req), req.bt] })');
    expect(await rawOf(made)).to.deep.equal([['args', 'configuration', 'bt'], null]);
  });

  it('acts as the reactor’s application for every caller', async () => {
    const made = await actingAs(
      `async ({ args, bt }) => {
        const { id, createdBy } = await bt.tokens.create({ type: 'token', data: args.value });
        return { raw: { createdBy, read: await bt.tokens.retrieve(id).catch(({ status }) => status) } };
      }`,
      'token:create',
    );
    const { createdBy, read } = await rawOf(made, { value: 'x' });
    expect(createdBy).to.equal(made.application.id);
    expect(read).to.equal(403);
  });

  it('invokes another reactor as that application', async () => {
    const token = await story.api.token({ type: 'token', data: 'plain' });
    const inner = await reactor(
      '({ args }) => ({ raw: { gotValue: args.aB }, tokenize: { some_key: args.aB } })',
    );
    const code = `async ({ args, bt }) => ({ raw: await bt.reactors.react(args.inner, { args: { aB: args.value } }) })`;
    const outer = await actingAs(code, 'token:use', 'token:create');
    const args = { inner: inner.id, value: `before {{${token}}}` };
    const { raw, tokens } = await rawOf(outer, args);
    expect(raw).to.deep.equal({ gotValue: 'before plain' });
    expect(tokens.some_key).to.match(/^[\da-f-]{36}$/);
    const powerless = await actingAs(
      `async ({ args, bt }) => ({ raw: await bt.reactors.react(args.inner).catch(({ status }) => status) })`,
      'token:create',
    );
    expect(await rawOf(powerless, { inner: inner.id })).to.equal(403);
  });

  it('learns how another reactor fails', async () => {
    const refuses = await reactor(`() => {
      const { BadRequestError } = require('@glovebox/reactor-errors');
      throw new BadRequestError({ amount: 'too little' });
    }`);
    const throws = await reactor(`() => { throw new Error('inner'); }`);
    const responds = await reactor(`() => {
      const { CustomHttpResponseError } = require('@glovebox/reactor-errors');
      throw new CustomHttpResponseError({ status: 418, body: { tea: true } });
    }`);
    const outer = await actingAs(
      `async ({ args, bt }) => ({ raw: await Promise.all(args.ids.map((id) =>
        bt.reactors.react(id, {}).catch(({ status, data }) => ({ status, data })))) })`,
      'token:use',
    );
    const unknown = '00000000-0000-4000-8000-000000000000';
    const ids = [refuses.id, throws.id, responds.id, unknown, 'no uuid'];
    const [refused, thrown, responded, absent, nonsense] = await rawOf(outer, { ids });
    expect(refused.status).to.equal(400);
    expect(refused.data).to.deep.include({
      errors: { amount: ['too little'] },
      title: 'One or more validation errors occurred.',
      status: 400,
      detail: 'Bad Request',
      code: 'invalid_argument',
    });
    expect([refused.data.trace_id, refused.data.doc_url]).to.deep.equal([
      thrown.data.trace_id,
      thrown.data.doc_url.replace('#internal', '#invalid_argument'),
    ]);
    expect([thrown.status, thrown.data.errors.error[0]]).to.deep.equal([500, 'Error: inner (main.js:1:32)']);
    expect(responded).to.deep.equal({ status: 418, data: { tea: true } });
    expect([absent.status, nonsense.status]).to.deep.equal([404, 404]);
  });

  it('goes at most three levels deep', async () => {
    const code = `async ({ args, bt }) => ({ raw: await bt.reactors.react(args.self, { args })
      .then(({ raw }) => [...raw, 'deeper'], ({ status, data }) => [status, data.detail]) })`;
    const made = await actingAs(code, 'token:use');
    expect(await rawOf(made, { self: made.id })).to.deep.equal([
      422,
      'Reactors may invoke each other at most 3 levels deep.',
      'deeper',
      'deeper',
      'deeper',
    ]);
  });

  it('lets many that wait for each other come to an end', async () => {
    const inner = await reactor(`async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { raw: 1 };
    }`);
    const outer = await actingAs(
      `async ({ args, bt }) => ({ raw: (await bt.reactors.react(args.inner)).raw })`,
      'token:use',
    );
    const all = await Promise.all(Array.from({ length: 100 }, () => rawOf(outer, { inner: inner.id })));
    expect(all).to.deep.equal(Array.from({ length: 100 }, () => 1));
  });
});
