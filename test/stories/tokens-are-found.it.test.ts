import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { sharedSystem } from '../harness/system.ts';

describe('tokens', () => {
  let api: ReturnType<typeof apiOf>;
  let key: string;
  const run = `run ${Date.now()}`;
  const ids: string[] = [];
  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    key = system.dev.private_api_key;
    for (let i = 0; i < 7; i += 1) {
      ids.push(
        await api.token({
          type: 'social_security_number',
          data: `123-45-678${i}`,
          metadata: { run, parity: i % 2 === 0 ? 'even' : 'odd' },
          containers: [i < 4 ? '/found/a/' : '/found/b/'],
        }),
      );
    }
  });

  const list = (query: string) =>
    api.send('GET', `/tokens?metadata.run=${encodeURIComponent(run)}&${query}`, { key });
  const search = (body: object, path = '/tokens/search') => api.send('POST', path, { key, body });
  const idsOf = ({ json }: { json: Json }) => json.data.map(({ id }: Json) => id);

  it('are listed page by page, and counted', async () => {
    const first = await list('page=1&size=3');
    expect(first.status).to.equal(200);
    expect(first.json.pagination).to.deep.equal({
      total_items: 7,
      page_number: 1,
      page_size: 3,
      total_pages: 3,
    });
    const pages = [first, await list('page=2&size=3'), await list('page=3&size=3')];
    expect(pages.flatMap(idsOf)).to.have.members(ids);
    expect(pages.flatMap(idsOf)).to.have.length(7);
    const alone = (await api.send('GET', `/tokens/${first.json.data[0].id}`, { key })).json;
    expect(first.json.data[0]).to.deep.equal(alone);
    expect((await list('page=9')).json.data).to.deep.equal([]);
    expect((await list('page=0&size=0')).json.pagination).to.include({ page_number: 1, page_size: 20 });
  });

  it('are filtered by id, type and metadata', async () => {
    expect(idsOf(await list('metadata.parity=EVEN'))).to.have.members(ids.filter((_, i) => i % 2 === 0));
    expect(idsOf(await list(`id=${ids[0]}&id=${ids[1]}`))).to.have.members(ids.slice(0, 2));
    expect(idsOf(await list('type=card'))).to.deep.equal([]);
    expect(idsOf(await api.send('GET', `/tokens/?id=${ids[0]}`, { key }))).to.deep.equal([ids[0]]);
    const metadata = encodeURIComponent(JSON.stringify({ run, parity: 'odd' }));
    expect(idsOf(await api.send('GET', `/tokens?metadata=${metadata}`, { key }))).to.have.length(3);
  });

  it('are listed by cursor too', async () => {
    const seen: string[] = [];
    let path = `/v2/tokens?metadata.run=${encodeURIComponent(run)}&size=3`;
    for (;;) {
      const { status, json } = await api.send('GET', path, { key });
      expect(status).to.equal(200);
      seen.push(...idsOf({ json }));
      if (json.pagination.next === undefined) break;
      path = `/v2/tokens/?metadata.run=${encodeURIComponent(run)}&size=3&start=${json.pagination.next}`;
    }
    expect(seen.slice(0, 4)).to.have.members(ids.slice(0, 4));
    expect(seen).to.have.members(ids).and.to.have.length(7);
  });

  it('are found by their values, without any being stored where it could be read', async () => {
    expect(idsOf(await search({ query: `data:"123-45-6784" AND metadata.run:"${run}"` }))).to.deep.equal([
      ids[4],
    ]);
    expect(idsOf(await search({ query: `data:6782 AND metadata.run:"${run}"` }))).to.deep.equal([ids[2]]);
    const combined = `container:"/found/*" AND metadata.run:"${run}" AND NOT (container:/found/a/ OR metadata.parity:odd)`;
    const { json } = await search({ query: combined, page: 1, size: 1 });
    expect(json.pagination).to.deep.equal({ total_items: 2, page_number: 1, page_size: 1, total_pages: 2 });
    expect(
      idsOf(
        await search(
          { query: `metadata.run:"${run}" AND container:/found/`, size: 100 },
          '/v2/tokens/search',
        ),
      ),
    ).to.have.length(7);
    expect(json.data[0].data).to.match(/^123-45-678\d$/);
  });

  it('are not found without the permission, and the answer to a malformed query says what is wrong', async () => {
    const { key: blind } = await api.application({
      name: 'blind',
      type: 'private',
      rules: [
        {
          description: '',
          priority: 1,
          container: '/found/b/',
          transform: 'redact',
          permissions: ['token:read', 'token:search'],
        },
      ],
    });
    const listed = await api.send('GET', `/tokens?metadata.run=${encodeURIComponent(run)}`, { key: blind });
    expect(listed.json.pagination.total_items).to.equal(3);
    for (const token of listed.json.data) expect(token).to.not.have.property('data');
    const found = await api.send('POST', '/tokens/search', { key: blind, body: { query: 'data:6780' } });
    expect(found.json.data).to.deep.equal([]);
    const { dev } = await sharedSystem();
    expect((await api.send('GET', '/tokens', { key: dev.public_api_key })).status).to.equal(403);
    expect((await api.send('POST', '/tokens/search', { key: dev.public_api_key, body: {} })).status).to.equal(
      403,
    );
    expect((await api.send('GET', '/tokens', { key: dev.management_api_key })).status).to.equal(403);
    expect((await api.send('GET', '/tokens')).status).to.equal(401);
    const wrong = await list('page=x&size=1000&start=y');
    expect(wrong.status).to.equal(400);
    expect(Object.keys(wrong.json.errors)).to.have.members(['page', 'size', 'start']);
    const query = await search({ query: 'type card', size: -1 });
    expect(query.json).to.deep.include({ status: 400, title: 'One or more validation errors occurred.' });
    expect(Object.keys(query.json.errors)).to.have.members(['query', 'size']);
  });

  it('are associated and dissociated', async () => {
    const parent = await api.token({ type: 'token', data: 'parent' });
    const child = await api.token({ type: 'token', data: 'child' });
    const path = `/tokens/${parent}/children`;
    expect((await api.send('POST', `${path}/${child}`, { key, body: {} })).status).to.equal(204);
    expect((await api.send('POST', `${path}/${child}/`, { key })).status).to.equal(409);
    const created = await api.send('POST', `${path}/`, {
      key,
      body: { type: 'card_number', data: '4242424242424242' },
    });
    expect(created.status).to.equal(201);
    expect(created.headers['location']).to.equal(`/tokens/${created.json.id}`);
    const children = await api.send('GET', path, { key });
    expect(idsOf(children)).to.have.members([child, created.json.id]);
    expect(children.json.pagination.total_items).to.equal(2);
    expect(idsOf(await api.send('GET', `${path}?type=card_number`, { key }))).to.deep.equal([
      created.json.id,
    ]);
    expect((await api.send('DELETE', `${path}/${child}`, { key })).status).to.equal(204);
    expect((await api.send('DELETE', `${path}/${child}`, { key })).status).to.equal(404);
    expect((await api.send('GET', '/tokens/nobody/children', { key })).status).to.equal(404);
    expect((await api.send('PUT', path, { key, body: {} })).headers['allow']).to.equal('GET, POST');
  });
});
