import { Paging } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';
import * as fc from 'fast-check';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

describe('the search for tokens', () => {
  let fixture: Fixture;
  const id: Record<string, string> = {};
  let updater: TestApplication;
  before(async () => {
    fixture = await Fixture.start();
    updater = await fixture.application(['token:update']);
    const make = async (name: string, body: object) => {
      id[name] = String(
        (await fixture.gateway.create(fixture.owner, { type: 'token', data: name, ...body }))['id'],
      );
    };
    await make('ssn', {
      type: 'social_security_number',
      data: '123-45-6789',
      metadata: { user: 'Ann', n: '1' },
    });
    await make('other ssn', { type: 'social_security_number', data: '987-65-6789' });
    await make('card', { type: 'card', data: card, containers: ['/customer-1/pci/'] });
    await make('name', {
      data: { name: 'Zo\u00eb' },
      search_indexes: ['{{ data.name }}', '{{ data.name | size }}'],
      containers: ['/customer-1/'],
      metadata: { user: 'ann', 'odd key:"': 'x y' },
    });
    await make('plain', { id: 'an id: (1)', containers: ['/customer-10/'] });
    await make('changed', { containers: ['/customer-2/'] });
    await fixture.gateway.update(updater, id['changed'] as string, { metadata: { changed: 'yes' } });
  });
  after(() => fixture[Symbol.asyncDispose]());

  const found = async (query: string, paging?: Paging) => {
    const { data } = await fixture.gateway.search(fixture.owner, { query, size: 100 }, paging);
    const ids = new Set(data.map((token) => token['id']));
    return Object.keys(id).filter((name) => ids.has(id[name]));
  };
  const dayOf = async (token: string) =>
    String((await fixture.gateway.get(fixture.owner, token))['created_at']).slice(0, 10);
  const all = ['ssn', 'other ssn', 'card', 'name', 'plain', 'changed'];

  it('finds data by what its search indexes give, and by nothing else', async () => {
    expect(await found('data:123-45-6789')).to.deep.equal(['ssn']);
    expect(await found('data:123456789')).to.deep.equal(['ssn']);
    expect(await found('data:6789')).to.deep.equal(['ssn', 'other ssn']);
    expect(await found('data:"ZOE\u0308"')).to.deep.equal(['name']);
    expect(await found('data:3')).to.deep.equal(['name']);
    expect(await found('data:4242')).to.deep.equal([]);
    expect(await found('data:678')).to.deep.equal([]);
    expect(await found('data:""')).to.deep.equal([]);
  });

  it('finds by the other fields', async () => {
    const { fingerprint } = await fixture.gateway.get(fixture.owner, id['card'] as string);
    // The day may end while the tokens are made.
    const created = await Promise.all(all.map((name) => dayOf(id[name] as string)));
    const day = created[0];
    const rows: [query: string, ...names: string[]][] = [
      ['type:card', 'card'],
      ['type:CARD'],
      [`id:${id['name']}`, 'name'],
      ['id:"an id: (1)"', 'plain'],
      [`fingerprint:${String(fingerprint)}`, 'card'],
      [`created_by:${fixture.owner.id}`, ...all],
      [`created_by:${fixture.owner.id.toUpperCase()}`, ...all],
      ['created_by:nobody'],
      [`modified_by:${updater.id}`, 'changed'],
      [`NOT modified_by:${updater.id}`, ...all.filter((name) => name !== 'changed')],
      ['container:/customer-1/', 'name'],
      ['container:"/Customer-1/*"', 'card', 'name'],
      ['container:/*', ...all],
      ['metadata.user:ANN', 'ssn', 'name'],
      ['metadata.user:ann AND metadata.n:1', 'ssn'],
      [String.raw`metadata.odd\ key\:\":"X Y"`, 'name'],
      ['metadata.changed:yes', 'changed'],
      ['metadata.nope:yes'],
      ['created_at:[2020-01-01 TO *]', ...all],
      ['created_at:[* TO 2020-01-01]'],
      [`created_at:${day}`, ...all.filter((_, n) => created[n] === day)],
      ['modified_at:[2020-01-01 TO *]', 'changed'],
      ['NOT modified_at:[* TO *]', ...all.filter((name) => name !== 'changed')],
    ];
    for (const [query, ...names] of rows) expect(await found(query), query).to.deep.equal(names);
  });

  it('combines them', async () => {
    const rows: [query: string, ...names: string[]][] = [
      ['', ...all],
      ['type:card OR data:6789', 'ssn', 'other ssn', 'card'],
      ['type:card data:6789', 'ssn', 'other ssn', 'card'],
      ['data:6789 AND metadata.user:ann', 'ssn'],
      ['data:6789 NOT metadata.user:ann', 'other ssn'],
      ['NOT (type:token OR type:card)', 'ssn', 'other ssn'],
      ['(type:card OR type:token) AND container:"/customer-1/*"', 'card', 'name'],
      ['!type:token && !data:6789', 'card'],
      ['type:card AND type:token'],
    ];
    for (const [query, ...names] of rows) expect(await found(query), query).to.deep.equal(names);
  });

  it('by cursor covers what is below a container', async () => {
    expect(await found('type:card AND container:"/customer-1/"', Paging.PAGING_CURSOR)).to.deep.equal([
      'card',
    ]);
    const { pagination, data } = await fixture.gateway.search(
      fixture.owner,
      { size: 4 },
      Paging.PAGING_CURSOR,
    );
    expect(pagination).to.include({ page_size: 4 });
    const rest = await fixture.gateway.search(
      fixture.owner,
      { size: 4, start: pagination['next'] },
      Paging.PAGING_CURSOR,
    );
    expect(rest.pagination).to.deep.equal({ page_size: 4 });
    const ids = [...data, ...rest.data].map((token) => token['id']);
    expect(ids).to.have.members(Object.values(id));
  });

  it('takes page and size from the body', async () => {
    const { pagination, data } = await fixture.gateway.search(fixture.owner, { query: '', page: 2, size: 4 });
    expect(pagination).to.deep.equal({ total_items: 6, page_number: 2, page_size: 4, total_pages: 2 });
    expect(data).to.have.length(2);
    for (const body of [{}, { query: null, page: null, size: null }, { page: 0, size: 0, other: 1 }]) {
      const page = await fixture.gateway.search(fixture.owner, body);
      expect(page.pagination).to.deep.equal({
        total_items: 6,
        page_number: 1,
        page_size: 20,
        total_pages: 1,
      });
    }
    const empty = { body: Buffer.alloc(0), paging: Paging.PAGING_NUMBERED };
    const outcome = await fixture.gateway.call(fixture.owner.key, { $case: 'searchTokens', value: empty });
    expect(outcome?.$case).to.equal('page');
  });

  it('finds a token by what it holds now, not by what it held', async () => {
    const { gateway, owner } = fixture;
    const token = await gateway.create(owner, {
      type: 'card_number',
      data: card.number,
      search_indexes: ['{{ data | last4 }}'],
      metadata: { tag: 'old' },
    });
    expect((await gateway.search(owner, { query: 'data:4242 AND metadata.tag:old' })).data).to.have.length(1);
    await gateway.update(owner, String(token['id']), { data: '5555555555554444', metadata: { tag: 'new' } });
    expect((await gateway.search(owner, { query: 'data:4242 OR metadata.tag:old' })).data).to.have.length(0);
    expect((await gateway.search(owner, { query: 'data:4444 AND metadata.tag:new' })).data).to.have.length(1);
    await gateway.delete(owner, String(token['id']));
    expect((await gateway.search(owner, { query: 'data:4444' })).data).to.have.length(0);
  });

  const wrong: [body: unknown, ...paths: string[]][] = [
    [{ query: 'card' }, 'query'],
    [{ query: 'name:x' }, 'query'],
    [{ query: 'a:"' }, 'query'],
    [{ query: 5 }, 'query'],
    [{ query: 'x'.repeat(201) }, 'query'],
    [{ page: -1, size: 101, query: ')' }, 'page', 'size', 'query'],
    [{ page: 1.5, size: '5x' }, 'page', 'size'],
    [{ page: true, size: [], start: 5 }, 'page', 'size', 'start'],
  ];
  for (const [body, ...paths] of wrong) {
    it(`is refused with every problem named: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const failure = await failureOf(fixture.gateway.search(fixture.owner, body));
      expect(failure.code).to.equal('invalid_argument');
      expect(Object.keys(failure.errors)).to.have.members(paths);
    });
  }

  it('is refused for a body that is no object', async () => {
    for (const body of [null, [], 'data:x']) {
      const failure = await failureOf(fixture.gateway.search(fixture.owner, body));
      expect(failure.message).to.equal('The request body must be a JSON object.');
    }
  });

  it('shows what the rule for searching shows, and only what it covers', async () => {
    const { gateway } = fixture;
    const searcher = await fixture.application(
      ['token:read'],
      [{ container: '/customer-1/', transform: 'reveal', permissions: ['token:search'] }],
    );
    const { pagination, data } = await gateway.search(searcher, {});
    expect(pagination['total_items']).to.equal(2);
    expect(data.map((token) => token['data'])).to.deep.include(card);
    expect((await gateway.search(searcher, { query: 'data:6789' })).data).to.deep.equal([]);
    const reader = await fixture.application(['token:read']);
    expect((await failureOf(gateway.search(reader, {}))).code).to.equal('permission_denied');
    const masked = await fixture.application(['token:search']);
    expect((await gateway.search(masked, { query: 'data:123-45-6789' })).data[0]?.['data']).to.equal(
      'XXX-XX-6789',
    );
    const rows = await fixture.audit(masked);
    expect(rows.map(({ operation, token_id, view }) => ({ operation, token_id, view }))).to.deep.equal([
      { operation: 'search', token_id: id['ssn'], view: 'mask' },
    ]);
  });

  it('finds nothing of another tenant, be the value the same', async () => {
    const foreigner = await fixture.foreigner();
    await fixture.gateway.create(foreigner, {
      type: 'social_security_number',
      data: '123-45-6789',
      metadata: { user: 'Ann' },
    });
    for (const query of ['data:6789', 'metadata.user:ann', '', 'NOT id:x']) {
      expect((await fixture.gateway.search(foreigner, { query })).pagination['total_items'], query).to.equal(
        1,
      );
    }
    expect(await found('data:6789')).to.deep.equal(['ssn', 'other ssn']);
  });

  it('is answered for the costliest queries there can be', async () => {
    const queries = [
      Array(28).fill('data:x').join(' '),
      Array(20).fill('!id:x').join('&&'),
      `${'('.repeat(95)}id:x${')'.repeat(95)}`,
      `${'!'.repeat(190)}id:x`,
      Array(10).fill('metadata.a:x').join(' OR '),
      Array(12).fill('container:/a/*').join(' '),
      'metadata.\0:x OR data:"\0" OR id:"\ud800" OR container:/a/',
    ];
    for (const query of queries) {
      const page = await fixture.gateway.search(fixture.owner, { query });
      expect(page.data, query).to.be.an('array');
    }
  });

  it('never gives an internal error, whatever the question is', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        '',
        '/a/',
        '/a/*',
        '\0',
        '\ud800',
        '%',
        "'",
        '2022-01-01',
        '0000-01-01',
        '9999-12-31',
        '*',
        'TO',
      ),
    );
    const quoted = text.map((value) => `"${value.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`);
    const field = fc.constantFrom(
      ...[
        'id',
        'type',
        'fingerprint',
        'created_by',
        'modified_by',
        'data',
        'container',
        'metadata.a',
        'metadata.\0',
      ],
      ...['created_at', 'modified_at', 'nope'],
    );
    const term = fc.tuple(field, fc.oneof(quoted, text)).map(([name, value]) => `${name}:${value}`);
    const range = fc
      .tuple(fc.constantFrom('created_at', 'modified_at'), quoted, quoted)
      .map(([name, from, to]) => `${name}:[${from} TO ${to}}`);
    const operator = fc.constantFrom(' AND ', ' OR ', ' NOT ', ' ', ' AND NOT (', ')');
    const query = fc
      .array(fc.tuple(fc.oneof(term, range), operator), { maxLength: 5 })
      .map((parts) => parts.flat().slice(0, -1).join(''));
    const body = fc.record(
      {
        query: fc.oneof(query, fc.jsonValue()),
        page: fc.jsonValue(),
        size: fc.jsonValue(),
        start: fc.jsonValue(),
      },
      { requiredKeys: ['query'] },
    );
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom(Paging.PAGING_NUMBERED, Paging.PAGING_CURSOR),
        async (wanted, paging) => {
          const outcome = await fixture.gateway.search(fixture.owner, wanted, paging).then(
            () => 'ok',
            (error: { code: string }) => error.code,
          );
          expect(outcome).to.be.oneOf(['ok', 'invalid_argument']);
        },
      ),
      { numRuns: 500 },
    );
    const pair = fc.tuple(
      fc.constantFrom(
        'id',
        'type',
        'metadata.a',
        'metadata',
        'container',
        'fingerprint',
        'page',
        'size',
        'start',
        'x',
      ),
      fc.oneof(text, fc.constantFrom('1', '5')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { maxLength: 5 }), fc.boolean(), async (pairs, raw) => {
        const encode = (value: string) => (raw ? value : encodeURIComponent(value.toWellFormed()));
        const wanted = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
        const outcome = await fixture.gateway.list(fixture.owner, wanted).then(
          () => 'ok',
          (error: { code: string }) => error.code,
        );
        expect(outcome).to.be.oneOf(['ok', 'invalid_argument']);
      }),
      { numRuns: 300 },
    );
  });
});
