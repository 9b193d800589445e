import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { sharedSystem } from '../harness/system.ts';

const mergePatch = { 'Content-Type': 'application/merge-patch+json' };

describe('a token', () => {
  let api: ReturnType<typeof apiOf>;
  let key: string;
  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    key = system.dev.private_api_key;
  });

  const patch = (id: string, body: unknown, headers: Record<string, string> = mergePatch) =>
    api.send('PATCH', `/tokens/${encodeURIComponent(id)}`, { key, body, headers });
  const read = async (id: string): Promise<Json> => (await api.send('GET', `/tokens/${id}`, { key })).json;

  it('takes a merge patch, and is seen as it is then', async () => {
    const id = await api.token({
      type: 'card',
      data: { number: '4242424242424242', expiration_month: 12, cvc: '123' },
      metadata: { a: '1', b: '2' },
    });
    const answer = await patch(id, {
      data: { number: '5555555555554444', cvc: null },
      metadata: { b: null, c: '3' },
      containers: ['/moved/'],
    });
    expect(answer.status).to.equal(200);
    expect(answer.json).to.deep.include({
      id,
      data: { number: '5555555555554444', expiration_month: 12 },
      metadata: { a: '1', c: '3' },
      containers: ['/moved/'],
    });
    expect(answer.json.modified_at).to.match(/Z$/);
    expect(await read(id)).to.deep.equal(answer.json);
  });

  it('is patched by a body that calls itself a merge patch, and no other', async () => {
    const id = await api.token({ type: 'token', data: 1 });
    for (const type of ['application/json', 'text/plain', 'application/json-patch+json']) {
      const answer = await patch(id, { data: 2 }, { 'Content-Type': type });
      expect(answer.status, type).to.equal(415);
      expect(answer.headers['accept-patch']).to.equal('application/merge-patch+json');
    }
    const withCharset = { 'Content-Type': 'application/merge-patch+json; charset=utf-8' };
    expect((await patch(id, { data: 3 }, withCharset)).status).to.equal(200);
    expect((await read(id)).data).to.equal(3);
  });

  it('is patched by who may, and tells what is wrong', async () => {
    const id = await api.token({ type: 'card', data: { number: '4242424242424242' } });
    const invalid = await patch(id, { data: { number: '1' }, type: 'token', expires_at: 'soon' });
    expect(invalid.status).to.equal(400);
    expect(invalid.json.title).to.equal('One or more validation errors occurred.');
    expect(Object.keys(invalid.json.errors)).to.have.members(['data.number', 'type', 'expires_at']);
    expect((await patch('no-such-token', {})).status).to.equal(404);
    expect((await patch(id, [])).json).to.deep.include({
      status: 400,
      errors: {},
      detail: 'The request body must be a JSON object.',
    });
    const { key: reader } = await api.application({
      name: 'reader',
      type: 'private',
      permissions: ['token:read'],
    });
    const refused = await api.send('PATCH', `/tokens/${id}`, { key: reader, body: {}, headers: mergePatch });
    expect(refused.status).to.equal(403);
  });

  it('is masked to a public application that has patched it', async () => {
    const { dev } = await sharedSystem();
    const id = await api.token({ type: 'card', data: { number: '4242424242424242' } });
    const answer = await api.send('PATCH', `/tokens/${id}`, {
      key: dev.public_api_key,
      body: { data: { expiration_year: 2031 } },
      headers: mergePatch,
    });
    expect(answer.json.data).to.deep.equal({ number: 'XXXXXXXXXXXX4242', expiration_year: 2031 });
  });

  it('loses no patch of many at once', async () => {
    const id = await api.token({ type: 'token', data: {} });
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, i) => patch(id, { data: { [`k${i}`]: i } })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(25).fill(200));
    expect(Object.keys((await read(id)).data)).to.have.length(25);
  });

  it('under a free-form id is patched, read and deleted by it', async () => {
    const id = `an id: "ü" @${Date.now()}`;
    await api.token({ type: 'token', data: 'x', id });
    expect((await patch(id, { data: 'y' })).json).to.include({ id, data: 'y' });
    const path = `/tokens/${encodeURIComponent(id)}`;
    expect((await api.send('GET', `${path}/`, { key })).json.data).to.equal('y');
    expect((await api.send('DELETE', path, { key })).status).to.equal(204);
    expect((await api.send('GET', path, { key })).status).to.equal(404);
  });

  it('that is called "search" is a token like any other', async () => {
    await api.token({ type: 'token', data: 'x', id: 'search' });
    expect((await api.send('GET', '/tokens/search', { key })).json.data).to.equal('x');
    expect((await patch('search', { data: 'y' })).json.data).to.equal('y');
    expect((await api.send('DELETE', '/tokens/search', { key })).status).to.equal(204);
  });

  it('is one for equal values when the tenant wants that', async () => {
    const tenant = (await api.manage('GET', '/tenants/self')).json;
    const settings = { ...tenant.settings, deduplicate_tokens: 'true' };
    expect((await api.manage('PUT', '/tenants/self', { name: tenant.name, settings })).status).to.equal(200);
    try {
      const body = { type: 'token', data: `equal ${Date.now()}` };
      const made = await Promise.all(
        Array.from({ length: 10 }, () => api.send('POST', '/tokens', { key, body })),
      );
      expect(made.map(({ status }) => status)).to.deep.equal(Array(10).fill(201));
      expect(new Set(made.map(({ json }) => json.id)).size).to.equal(1);
      expect(made.filter(({ json }) => !json._extras.deduplicated)).to.have.length(1);
      const [id, other] = (await api.send('POST', '/tokenize', { key, body: [body.data, 'another'] })).json;
      expect(id).to.equal(made[0]?.json.id).and.not.to.equal(other);
      const apart = await api.send('POST', '/tokens', { key, body: { ...body, deduplicate_token: false } });
      expect(apart.json.id).not.to.equal(id);
    } finally {
      await api.manage('PUT', '/tenants/self', { name: tenant.name, settings: tenant.settings ?? {} });
    }
  });

  it('does not show its data to a key that may not see it, and the refusal names the attribute', async () => {
    const pan = '4242424242424242';
    const data = { number: pan, expiration_month: 12, expiration_year: 2031, cvc: '123' };
    const id = await api.token({ type: 'card', data });
    const page = await api.application({ name: 'page', type: 'public', permissions: ['token:update'] });
    const choices = {
      mask: '{{ data }}',
      fingerprint_expression: '{{ data.cvc | slice: 0, 1 }}',
      search_indexes: ['{{ data.cvc | slice: 0, 1 }}'],
    };
    for (const [name, value] of Object.entries(choices)) {
      const body = JSON.stringify({ [name]: value });
      const { status, json, text } = await api.send('PATCH', `/tokens/${id}`, {
        ...{ key: page.key, body },
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      expect(status, text).to.equal(403);
      expect(Object.keys(json.errors)).to.deep.equal([name]);
      expect(text).to.not.include(pan).and.not.include('123"');
    }
  });
});
