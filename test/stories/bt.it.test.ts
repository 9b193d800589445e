import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { expectProblem, transformStory } from '../harness/transform-story.ts';
import { until } from '../harness/until.ts';

/** contract/transforms.md#code, "Tokenizing or detokenizing in a transform", and section 5, point 7. */
describe('bt in a transform', () => {
  const story = transformStory();
  const { onRequest, onResponse, post } = story;

  const ruled = (transform: string, permissions: string[], container = '/') => ({
    priority: 1,
    container,
    transform,
    permissions,
  });
  const application = (rules: object[], type = 'private'): Promise<Json> =>
    story.api.application({ name: 'code', type, rules });

  /** What an async function with this body, in which `bt` acts as the application, returns. */
  const valueWith = async (owner: Json, body: string): Promise<Json> => {
    const code = `async ({ args, bt }) => ({ headers: {}, body: { value: await (async () => { ${body} })() } })`;
    const proxy = await onRequest(code, { application: { id: owner.id } });
    const answer = await post(proxy);
    expect(answer.status, answer.text).to.equal(200);
    return JSON.parse(story.destination.received.at(-1)!.body.toString()).value;
  };

  describe('as it is used most', () => {
    it('tokenizes a value of the response', async () => {
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
      const echo = await story.api.proxy(story.destination.url);
      await post(echo, { body: { ssn: `{{${json.ssn}}}` } });
      expect(JSON.parse(story.destination.received.at(-1)!.body.toString())).to.deep.equal({
        ssn: '123-45-6789',
      });
    });

    it('detokenizes a response of the tenant’s own system', async () => {
      const { id } = await application([ruled('reveal', ['token:read'])]);
      const token = await story.api.token({ type: 'token', data: { secretValue: [1, 'two'], snake_key: 1 } });
      story.answering('application/json', JSON.stringify({ token }));
      const proxy = await onResponse(
        `async ({ args, bt }) => {
          const { data, tenantId } = await bt.tokens.retrieve(args.body.token);
          return { headers: {}, body: { data, tenantId: typeof tenantId } };
        }`,
        { application: { id } },
      );
      expect((await post(proxy)).json).to.deep.equal({
        data: { secretValue: [1, 'two'], snake_key: 1 },
        tenantId: 'string',
      });
    });

    it('tokenizes a part of the request by one call, keys as they are', async () => {
      const owner = await application([ruled('mask', ['token:create'])]);
      const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030 };
      const value = await valueWith(
        owner,
        `return bt.tokenize({ someName: 'x', card: { type: 'card', data: ${JSON.stringify(card)} } });`,
      );
      expect(value.someName).to.match(/^[\da-f-]{36}$/);
      expect(value.card.data.number).to.equal('XXXXXXXXXXXX4242');
      expect(value.card).to.include.keys('tenant_id', 'created_by');
      expect(value.card.created_by).to.equal(owner.id);
    });

    it('deletes a token', async () => {
      const owner = await application([ruled('reveal', ['token:create', 'token:read', 'token:delete'])]);
      expect(
        await valueWith(
          owner,
          `const { id } = await bt.tokens.create({ id: 'temp @' + Date.now(), type: 'token', data: 1 });
          const deleted = await bt.tokens.delete(id);
          return [deleted === undefined, await bt.tokens.retrieve(id).catch((error) => error.status)];`,
        ),
      ).to.deep.equal([true, 404]);
    });

    it('changes a token, and finds it again', async () => {
      const all = ['token:create', 'token:read', 'token:update', 'token:search'];
      const owner = await application([ruled('reveal', all)]);
      const customer = `c-${Date.now()}`;
      const value = await valueWith(
        owner,
        `const { id } = await bt.tokens.create({ type: 'token', data: { aB: 1, c_d: 2 }, metadata: { forCustomer: '${customer}' } });
        const updated = await bt.tokens.update(id, { data: { c_d: null, e: 3 } });
        const listed = await bt.tokens.list({ metadata: { forCustomer: '${customer}' } });
        const found = await bt.tokens.search({ query: 'metadata.forCustomer:${customer}' });
        return { data: updated.data, listed: listed.data.map((token) => token.id === id), total: listed.pagination.totalItems,
          found: found.data.map(({ data, metadata }) => ({ data, metadata })) };`,
      );
      const data = { aB: 1, e: 3 };
      expect(value).to.deep.equal({
        data,
        listed: [true],
        total: 1,
        found: [{ data, metadata: { forCustomer: customer } }],
      });
    });

    it('detokenizes a whole structure at once', async () => {
      const owner = await application([ruled('reveal', ['token:create', 'token:read'])]);
      const masks = await application([ruled('mask', ['token:create', 'token:read'])]);
      const text = `const tokenized = await bt.tokenize({ someName: 'Ann', list: [5] });
        const expressions = JSON.parse(JSON.stringify(tokenized).replace(/"([\\da-f-]{36})"/g, '"{{ $1 }}"'));
        return bt.detokenize(expressions).catch(({ status }) => status);`;
      expect(await valueWith(owner, text)).to.deep.equal({ someName: 'Ann', list: [5] });
      expect(await valueWith(masks, text)).to.equal(403);
    });

    it('refuses data that is no token, as the API does', async () => {
      const owner = await application([ruled('mask', ['token:create'])]);
      const value = await valueWith(
        owner,
        `return bt.tokens.create({ type: 'card', data: {} }).catch(({ status, data }) => ({ status, data }));`,
      );
      expect(value.status).to.equal(400);
      expect(value.data.title).to.equal('One or more validation errors occurred.');
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

  describe('may do what its application may', () => {
    const create = `const { id, ...rest } = await bt.tokens.create({ type: 'token', data: 'plain', mask: '{{ data | reveal_last: 2 }}' });`;
    const read = `const [status, data] = await bt.tokens.retrieve(id).then((token) => [200, token.data], (error) => [error.status]);
      return [status, data ?? null];`;

    it('a public one creates and does not read', async () => {
      const owner = await application([ruled('mask', ['token:create'])], 'public');
      expect(await valueWith(owner, create + read)).to.deep.equal([403, null]);
    });

    for (const [transform, seen] of [
      ['reveal', 'plain'],
      ['mask', 'XXXin'],
      ['redact', null],
    ] as const) {
      it(`one with the rule to ${transform} reads so`, async () => {
        const owner = await application([ruled(transform, ['token:create', 'token:read'])]);
        expect(await valueWith(owner, create + read)).to.deep.equal([200, seen]);
      });
    }

    it('within its container', async () => {
      const owner = await application([ruled('reveal', ['token:create', 'token:read'], '/pci/')]);
      const value = await valueWith(
        owner,
        `const make = (container) => bt.tokens.create({ type: 'token', data: 1, containers: [container] });
        return [(await make('/pci/a/')).containers, await make('/pii/').catch((error) => error.status)];`,
      );
      expect(value).to.deep.equal([['/pci/a/'], 403]);
    });

    it('by itself, also where another proxy has the same code', async () => {
      const [reads, creates] = [
        await application([ruled('reveal', ['token:read'])]),
        await application([ruled('reveal', ['token:create'])]),
      ];
      const token = await story.api.token({ type: 'token', data: 1 });
      const code = `async ({ bt }) => {
        const attempt = (call) => call.then(() => 200, (error) => error.status);
        return { headers: {}, body: await Promise.all([
          attempt(bt.tokens.retrieve('${token}')), attempt(bt.tokens.create({ type: 'token', data: 1 })) ]) };
      }`;
      const [first, second] = await Promise.all(
        [reads, creates].map(({ id }) => onRequest(code, { application: { id } })),
      );
      const seen = async (proxy: Json) => {
        await post(proxy);
        return JSON.parse(story.destination.received.at(-1)!.body.toString());
      };
      for (let round = 0; round < 3; round += 1) {
        expect(await seen(first)).to.deep.equal([200, 403]);
        expect(await seen(second)).to.deep.equal([403, 200]);
      }
    });

    it('until that changes, and nothing once it is deleted', async () => {
      const owner = await application([ruled('reveal', ['token:create'])]);
      const proxy = await onRequest(
        `async ({ bt }) => ({ headers: {}, body: await bt.tokens.create({ type: 'token', data: 1 })
          .then(() => ({ status: 201 }), ({ status, data }) => ({ status, detail: data.detail })) })`,
        { application: { id: owner.id } },
      );
      const seen = async () => {
        await post(proxy);
        return JSON.parse(story.destination.received.at(-1)!.body.toString()) as Json;
      };
      expect(await seen()).to.deep.equal({ status: 201 });
      const changed = { name: 'code', rules: [ruled('reveal', ['token:read'])] };
      expect((await story.api.manage('PUT', `/applications/${owner.id}`, changed)).status).to.equal(200);
      await until('it may not create any more', async () => (await seen()).status === 403);
      const deleted = await story.api.manage('DELETE', `/applications/${owner.id}`);
      expect(deleted.status, deleted.text).to.equal(204);
      await until('it is nobody any more', async () => (await seen()).status === 401);
      expect((await seen()).detail).to.equal(
        'The application that the code acts as does not exist any more.',
      );
    });

    it('also when its key is made anew: it has none', async () => {
      const owner = await application([ruled('reveal', ['token:create'])]);
      const regenerated = await story.api.manage('POST', `/applications/${owner.id}/regenerate`);
      expect(regenerated.status).to.equal(200);
      const text = `return [typeof (await bt.tokens.create({ type: 'token', data: 1 })).id, JSON.stringify(bt) ?? null];`;
      expect(await valueWith(owner, text)).to.deep.equal(['string', null]);
    });

    it('or what a key may that the code has itself, for one call', async () => {
      const owner = await application([ruled('mask', ['token:create'])]);
      const other = await application([ruled('reveal', ['token:read'])]);
      const token = await story.api.token({ type: 'token', data: 'plain' });
      const value = await valueWith(
        owner,
        `const read = (options) => bt.tokens.retrieve('${token}', options).then(({ data }) => data, (error) => error.status);
        return [await read(), await read({ apiKey: '${other.key}' }), await read(), await read({ apiKey: 'key_unknown' }),
          await read({ apiKey: '' })];`,
      );
      expect(value).to.deep.equal([403, 'plain', 403, 401, 401]);
    });
  });

  it('fails like any other code when the error is not caught', async () => {
    const { id } = await application([ruled('mask', ['token:create'])], 'public');
    const proxy = await onRequest(
      `async ({ bt }) => {
        const token = await bt.tokens.create({ type: 'token', data: 'x' });
        await bt.tokens.retrieve(token.id);
      }`,
      { application: { id } },
    );
    const text = /BasisTheoryApiError: Request failed with status code 403 \(main\.js:3:\d+\)/;
    expectProblem(await post(proxy), 500, text);
    expect(story.destination.received).to.deep.equal([]);
  });

  it('says what there is when it is asked for something else', async () => {
    const owner = await application([ruled('mask', ['token:create'])]);
    const value = await valueWith(
      owner,
      `const attempt = (call) => call.catch(({ status, data }) => [status, data.detail]);
      return Promise.all([attempt(bt.applications.list()), attempt(bt.proxy.get()), attempt(bt.tenants.retrieve())]);`,
    );
    for (const [status, detail] of value) {
      expect(status).to.equal(404);
      expect(detail).to.match(/^bt has no such call in user code\. It has: POST \/tokens, GET \/tokens, /);
    }
  });

  it('is the same module that require gives', async () => {
    const owner = await application([ruled('mask', ['token:create'])]);
    const value = await valueWith(
      owner,
      `const { Glovebox, GloveboxApiError } = require('@glovebox/sdk');
      const error = await bt.tokens.retrieve('x').catch((error) => error);
      return [bt instanceof Glovebox, error instanceof GloveboxApiError, error.name];`,
    );
    expect(value).to.deep.equal([true, true, 'BasisTheoryApiError']);
  });
});
