import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';

const destination = 'https://example.com';

describe('lists', () => {
  let api: TestApi;
  const ids: string[] = [];
  const names = ['alpha', 'Alphabet', 'beta_1', 'beta%2', 'be\\ta', 'gamma*', 'delta'];

  before(async () => {
    api = await startTestApi();
    for (const name of names) {
      const body = { name, destination_url: destination };
      const made = await api.send('POST /proxies', { body });
      expect(made.status, made.text).to.equal(201);
      ids.push(made.body.id);
    }
  });

  after(() => api[Symbol.asyncDispose]());

  const list = async (query: string): Promise<Body> => {
    const answer = await api.send(`GET /proxies${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  };
  const namesOf = async (query: string) => (await list(query)).data.map(({ name }) => name).toSorted();

  it('the envelope counts; the newest come first', async () => {
    const { data, pagination } = await list('');
    expect(pagination).to.deep.equal({ total_items: 7, page_number: 1, page_size: 20, total_pages: 1 });
    expect(data.map(({ id }) => id)).to.deep.equal(ids.toReversed());
  });

  it('pages cut the list without gap or overlap, and one beyond the end is empty', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?size=3&page=${page}`)));
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).to.deep.equal(ids.toReversed());
    expect(pages[2]?.pagination).to.deep.equal({
      total_items: 7,
      page_number: 3,
      page_size: 3,
      total_pages: 3,
    });
    expect((await list('?page=2147483647&size=100')).data).to.deep.equal([]);
  });

  it('page 0 and size 0 mean the defaults, as does an empty value', async () => {
    for (const query of ['?page=0&size=0', '?page=&size=']) {
      expect((await list(query)).pagination).to.include({ page_number: 1, page_size: 20 });
    }
  });

  for (const query of [
    'page=-1',
    'page=2147483648',
    'page=1.5',
    'page=x',
    'size=101',
    'size=1e2',
    'page=1&page=2',
  ]) {
    it(`${query} is a 400 that names the parameter`, async () => {
      const answer = await api.send(`GET /proxies?${query}`);
      expect(answer.status).to.equal(400);
      expect(answer.body.errors).to.have.all.keys(query.slice(0, 4));
    });
  }

  it('ids narrow the list, in any case and number; an unknown one matches nothing', async () => {
    const [a = '', b = ''] = ids;
    expect(await namesOf(`?id=${a}`)).to.deep.equal(['alpha']);
    expect(await namesOf(`?id=${a.toUpperCase()}&id=${b}`)).to.deep.equal(['Alphabet', 'alpha']);
    expect((await list('?id=7d9f8a52-0000-4000-8000-000000000000')).pagination.total_items).to.equal(0);
  });

  it('an id that is no UUID is a 400 that says which', async () => {
    const answer = await api.send(`GET /proxies?id=${ids[0]}&id=x`);
    expect([answer.status, Object.keys(answer.body.errors)]).to.deep.equal([400, ['id[1]']]);
  });

  const searches: readonly [search: string, found: string[]][] = [
    ['alpha', ['Alphabet', 'alpha']],
    ['ALPHA*', ['Alphabet', 'alpha']],
    ['*bet*', ['Alphabet', 'beta%2', 'beta_1']],
    ['beta_*', ['beta_1']],
    ['%', ['beta%2']],
    ['_', ['beta_1']],
    ['\\', ['be\\ta']],
    ['*', names.toSorted()],
    ['a*a', ['alpha']],
    ['nothing', []],
  ];
  for (const [search, found] of searches) {
    it(`the name search ${search} finds ${found.length} of 7: only * is a wildcard`, async () => {
      expect(await namesOf(`?name=${encodeURIComponent(search)}`)).to.deep.equal(found.toSorted());
    });
  }

  it('filters combine, and total_items counts what they let through', async () => {
    const { data, pagination } = await list(`?name=alpha*&id=${ids[0]}&size=1`);
    expect([data.length, pagination.total_items]).to.deep.equal([1, 1]);
    expect((await list('?name=alpha&size=1')).pagination).to.include({ total_items: 2, total_pages: 2 });
  });

  it('unknown parameters are ignored; a name with U+0000 or of 201 characters is a 400', async () => {
    expect(await namesOf('?start=abc&name=delta')).to.deep.equal(['delta']);
    for (const name of ['a%00b', 'x'.repeat(201)]) {
      const answer = await api.send(`GET /proxies?name=${name}`);
      expect([answer.status, Object.keys(answer.body.errors)]).to.deep.equal([400, ['name']]);
    }
  });

  const everyList: readonly [path: string, largest: number][] = [
    ['/proxies', 100],
    ['/reactors', 100],
    ['/reactor-formulas', 100],
    ['/applications', 100],
    ['/tenants/self/invitations', 100],
    ['/tenants/self/members', 50],
  ];
  for (const [path, largest] of everyList) {
    it(`${path} has pages of 20, of up to ${largest} on demand, and names what is out of bounds`, async () => {
      const page = async (query: string) => {
        const answer = await api.send(`GET ${path}${query}`);
        expect(answer.status, answer.text).to.equal(200);
        return answer.body.pagination;
      };
      expect(await page('/?start=ignored')).to.include({ page_number: 1, page_size: 20 });
      expect(await page('?page=0&size=0')).to.include({ page_number: 1, page_size: 20 });
      expect(await page(`?size=${largest}`)).to.include({ page_size: largest });
      expect(await page('?page=2147483647')).to.include({ page_number: 2_147_483_647 });
      const answer = await api.send(`GET ${path}?page=-1&size=${largest + 1}`);
      expect(answer.status).to.equal(400);
      expect(answer.body.errors).to.deep.equal({
        page: ['must be an integer from 0 to 2147483647'],
        size: [`must be an integer from 0 to ${largest}`],
      });
    });
  }

  for (const path of ['/proxies', '/reactors', '/applications']) {
    it(`${path} is narrowed by ids, repeatedly, and to none by those of another tenant`, async () => {
      const body = { name: 'own', code: 'module.exports = () => 1' };
      for (const _ of [1, 2]) expect((await api.send('POST /reactors', { body })).status).to.equal(201);
      const found = async (query: string, key?: string) =>
        (await api.send(`GET ${path}${query}`, key === undefined ? {} : { key })).body;
      const [a, b] = (await found('?size=2')).data;
      const both = `?id=${a?.id}&id=${b?.id}&id=${a?.id}`;
      expect((await found(both)).data.map(({ id }) => id)).to.deep.equal([a?.id, b?.id]);
      const { managementKey } = await api.newTenant();
      expect((await found(both, managementKey)).pagination.total_items).to.equal(0);
      expect((await api.send(`GET ${path}?id=x`)).body.errors).to.have.all.keys('id[0]');
    });
  }

  for (const path of ['/reactors', '/reactor-formulas']) {
    it(`${path} is searched by name: * is a wildcard, and without one a part is enough`, async () => {
      const code = 'module.exports = () => 1';
      for (const name of ['Zeta one', 'zeta two', '100% zeta']) {
        const body = { name, code, ...(path === '/reactors' ? {} : { type: 'private' }) };
        expect((await api.send(`POST ${path}`, { body })).status).to.equal(201);
      }
      const found = async (name: string) =>
        (await api.send(`GET ${path}?name=${name}`)).body.data.map((one) => one.name).toSorted();
      expect(await found('zeta*')).to.deep.equal(['Zeta one', 'zeta two']);
      expect(await found('ZETA')).to.deep.equal(['100% zeta', 'Zeta one', 'zeta two']);
      expect(await found('100%25*')).to.deep.equal(['100% zeta']);
    });
  }

  it('applications are narrowed by type, repeatedly', async () => {
    const count = async (query: string) =>
      (await api.send(`GET /applications${query}`)).body.pagination.total_items;
    expect(await count('')).to.equal(3);
    expect(await count('?type=private')).to.equal(1);
    expect(await count('?type=private&type=public')).to.equal(2);
    expect((await api.send('GET /applications?type=x')).body.errors).to.have.all.keys('type[0]');
  });

  it('every collection path takes a trailing slash, without a redirect', async () => {
    for (const path of [
      '/proxies/',
      '/reactors/',
      '/reactor-formulas/',
      '/applications/',
      '/tenants/self/',
      '/permissions/',
      '/application-templates/',
      '/tenants/self/members/',
      '/tenants/self/invitations/',
      '/applications/key/',
    ]) {
      expect((await api.send(`GET ${path}`)).status, path).to.equal(200);
    }
    const body = { name: 'x', destination_url: destination };
    expect((await api.send('POST /proxies/', { body })).status).to.equal(201);
  });
});
