import { expect } from 'chai';

import type { VaultConfig } from '../src/config.ts';
import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

/** What no operator can set. */
const others = (config: VaultConfig): VaultConfig => {
  const { limits } = config;
  const { token, access } = limits;
  return {
    ...config,
    limits: {
      ...limits,
      bodyNesting: 10,
      searchQueryLength: 10,
      filtersLength: 30,
      countedAnew: 2,
      countKeptMs: 600_000,
      mostCounted: 5,
      sessionRulesLength: 150,
      token: {
        ...token,
        maskBytes: 20,
        maskNesting: 1,
        searchIndexes: 1,
        metadataEntries: 1,
        metadataNameLength: 3,
        metadataValueLength: 2,
        encryptionBytes: 30,
        searchValueLength: 3,
        expressions: { ...token.expressions, indexLength: 24 },
      },
      access: { ...access, descriptionLength: 4, permissions: 2, conditions: 1 },
    },
  };
};

describe('the limits of tokens', () => {
  let fixture: Fixture;
  let keeper: TestApplication;
  before(async () => {
    fixture = await Fixture.start(
      {
        MAX_TOKEN_DATA_BYTES: '20',
        MAX_TOKENS_PER_TOKENIZE: '2',
        MAX_DATA_NESTING: '2',
        MAX_TOKEN_ID_LENGTH: '36',
        MAX_CONTAINER_LENGTH: '32',
        MAX_EXPRESSION_LENGTH: '60',
        MAX_FILTERS: '1',
        MAX_PAGE_SIZE: '3',
        MAX_RULES: '1',
      },
      others,
    );
    keeper = await fixture.application(['keys:read']);
  });
  after(() => fixture[Symbol.asyncDispose]());

  const small = { type: 'token', data: 'x', mask: 'X', metadata: { a: '1' } };
  const large = { data: 'x'.repeat(19), mask: 'X'.repeat(19), metadata: { a: '1', b: '2' } };
  const problems = {
    data: ['must not be larger than 20 bytes of JSON'],
    mask: ['must not be larger than 20 bytes'],
    metadata: ['must not have more than 1 entries'],
  };

  it('hold for search indexes, and for names and values in metadata', async () => {
    const id = await fixture.token('x', small);
    const sent = (metadata: object) => ({
      data: 'x',
      metadata,
      search_indexes: ['{{ data }}', '{{ data | upcase }}'],
    });
    for (const [metadata, path, problem] of [
      [{ name: '1' }, 'metadata.name', 'must have a name of 1 to 3 characters'],
      [{ a: '123' }, 'metadata.a', 'must not be longer than 2 characters'],
    ] as const) {
      const expected = {
        [path]: [problem],
        search_indexes: ['must not hold more than 1 expressions'],
      };
      for (const request of [
        () => fixture.gateway.create(fixture.owner, { type: 'token', ...sent(metadata) }),
        () => fixture.gateway.update(fixture.owner, id, sent({ a: null, ...metadata })),
      ])
        expect((await failureOf(request())).errors).to.deep.equal(expected);
    }
  });

  it('are those of the settings, when a token is made, changed or asked for among others', async () => {
    const id = await fixture.token('x', small);
    for (const request of [
      () => fixture.gateway.create(fixture.owner, { ...small, ...large }),
      () => fixture.gateway.update(fixture.owner, id, large),
      () => fixture.gateway.tokenize(fixture.owner, { ...small, ...large }),
    ]) {
      const { errors } = await failureOf(request());
      expect(errors).to.deep.equal(problems);
    }
    expect(await fixture.gateway.tokenize(fixture.owner, ['a', 'b'])).to.have.length(2);
    const { message } = await failureOf(fixture.gateway.tokenize(fixture.owner, ['a', 'b', 'c']));
    expect(message).to.equal('At most 2 values can be tokenized in one request.');
  });

  const tooLong = 'x'.repeat(37);
  const container = `/${'x'.repeat(31)}/`;
  const refused: readonly [what: string, token: object, errors: Record<string, string[]>][] = [
    ['nesting of data', { data: [[[]]] }, { data: ['must not be nested deeper than 2 levels'] }],
    ['nesting of a mask', { mask: [[]] }, { mask: ['must not be nested deeper than 1 levels'] }],
    [
      'what says how data is encrypted',
      { encryption: { cek: { key: 'a'.repeat(20) }, kek: { key: 'b' } } },
      { encryption: ['must not be larger than 30 bytes'] },
    ],
    ['the length of an id', { id: tooLong }, { id: ['must have 3 to 36 characters'] }],
    [
      'the length of an id that an expression gives',
      { id: `{{ data | append: "${tooLong}" }}` },
      { id: ['must give the id of a token, which must have 3 to 36 characters'] },
    ],
    [
      'the length of a container',
      { containers: [container] },
      {
        'containers[0]': [
          'must be a path such as /pci/high/: letters, digits, - and _ between single slashes, ' +
            'at most 32 characters',
        ],
      },
    ],
    [
      'filters of an expression',
      { id: '{{ data | upcase | strip }}' },
      { id: ['An expression may have at most 1 filters.'] },
    ],
    [
      'the length of an expression',
      { id: `{{ data }}${'x'.repeat(51)}` },
      { id: ['An expression may have at most 60 characters.'] },
    ],
    [
      'the length of the expression of a fingerprint and of a search index',
      { fingerprint_expression: `{{ data }}${tooLong}`, search_indexes: [`{{ data }}${tooLong}`] },
      {
        fingerprint_expression: ['must not be longer than 24 characters'],
        'search_indexes[0]': ['must not be longer than 24 characters'],
      },
    ],
    [
      'the length of the value of a search index',
      { data: 'four', search_indexes: ['{{ data }}'] },
      { 'search_indexes[0]': ['The value of a search index may have at most 3 characters.'] },
    ],
  ];
  for (const [what, token, errors] of refused) {
    it(`hold for ${what}`, async () => {
      const made = fixture.gateway.create(fixture.owner, { type: 'token', data: 'x', ...token });
      expect((await failureOf(made)).errors).to.deep.equal(errors);
    });
  }

  it('hold for how deep a body is nested, and what is tokenized', async () => {
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    const deep = await failureOf(fixture.gateway.tokenize(fixture.owner, nested(11)));
    expect(deep.message).to.equal('The body may be nested at most 10 levels deep.');
    const around = await failureOf(fixture.gateway.tokenize(fixture.owner, nested(10)));
    expect(around.message).to.equal('The body must not be nested deeper than 2 levels.');
  });

  it('hold for the expressions of a request', async () => {
    const id = await fixture.token('x', small);
    const use = (...expressions: string[]) => failureOf(fixture.gateway.use(fixture.owner, expressions));
    expect((await use(`${id} | upcase | strip`)).message).to.include('at most 1 filters');
    expect((await use(`${id} | append: "${'x'.repeat(12)}"`)).message).to.include('at most 60 characters');
    const both = await use(`${id} | append: "1234"`, `${id} | append: "4321"`);
    expect(both.message).to.equal('The filters of a request may have at most 30 characters together.');
  });

  it('hold for a search, and for pages, which are no larger when nothing is said', async () => {
    const { gateway, owner } = fixture;
    const { errors } = await failureOf(gateway.search(owner, { query: 'type:token ', size: 4 }));
    expect(errors).to.deep.equal({
      query: ['must not be longer than 10 characters'],
      size: ['must be a whole number from 0 to 3'],
    });
    expect((await gateway.search(owner, { query: 'type:token' })).pagination).to.include({ page_size: 3 });
    for (const list of [
      (query: string) => gateway.list(owner, query),
      (query: string) => gateway.listKeys(keeper, query),
    ]) {
      expect((await list('')).pagination).to.include({ page_size: 3 });
      expect((await failureOf(list('size=4'))).errors).to.deep.equal({
        size: ['must be a whole number from 0 to 3'],
      });
    }
  });

  it('say up to where each count is a new one', async () => {
    const total = async () => {
      const { pagination } = await fixture.gateway.list(fixture.owner, 'container=/counted/');
      return (pagination as { total_items: number }).total_items;
    };
    const totals: number[] = [];
    for (let more = 0; more < 4; more += 1) {
      await fixture.token('x', { ...small, containers: ['/counted/'] });
      totals.push(await total());
    }
    // The third is the first that is kept.
    expect(totals).to.deep.equal([1, 2, 3, 3]);
  });

  it('say up to where lists are counted and their pages have numbers; beyond, a cursor begins anywhere', async () => {
    for (let more = 0; more < 7; more += 1) await fixture.token('x', { ...small, containers: ['/deep/'] });
    const list = (query: string) => fixture.gateway.list(fixture.owner, `container=/deep/&${query}`);
    expect((await list('size=2&page=2')).pagination).to.include({ total_items: 5, total_pages: 3 });
    for (const query of ['size=3&page=2', 'size=2&page=3', 'page=100']) {
      expect((await failureOf(list(query))).errors, query).to.deep.equal({
        page: ['must end within the first 5 tokens; use start beyond'],
      });
    }
    let seen = 0;
    for (let start: string | undefined = ''; start !== undefined;) {
      const { data, pagination } = await list(`size=3&start=${start}`);
      seen += (data as unknown[]).length;
      start = (pagination as { next?: string }).next;
    }
    expect(seen).to.equal(7);
    const few = await fixture.gateway.list(fixture.owner, 'container=/none/&page=2147483647');
    expect(few, 'beyond the end of a list that is counted').to.have.property('data').that.deep.equals([]);
  });

  it('hold for what a session is granted', async () => {
    const rule = { priority: 1, transform: 'mask', permissions: ['token:read'] };
    const condition = { attribute: 'id', operator: 'equals', value: 'x' };
    const authorize = async (body: object) =>
      (await failureOf(fixture.gateway.authorizeSession(fixture.owner, { nonce: 'n', ...body }))).errors;
    const rules = [{ ...rule, container: '/' }];
    expect(await authorize({ rules: [...rules, { ...rules[0], priority: 2 }] })).to.deep.equal({
      rules: ['must hold at most 1 rules'],
    });
    expect(
      await authorize({
        permissions: ['token:read', 'token:use', 'token:create'],
        rules: [{ ...rule, description: '12345', conditions: [condition, condition] }],
      }),
    ).to.deep.equal({
      permissions: ['must hold at most 2 permissions'],
      'rules[0].description': ['must be a string of at most 4 characters'],
      'rules[0].conditions': ['must be an array of at most 1 conditions'],
    });
    expect(
      await authorize({ rules: [{ ...rule, conditions: [{ ...condition, value: tooLong }] }] }),
    ).to.deep.equal({
      'rules[0].conditions[0].value': ['must be a string of 1 to 36 characters, without U+0000'],
    });
    const long = { ...condition, value: 'x'.repeat(36) };
    expect(await authorize({ rules: [{ ...rule, conditions: [long] }] })).to.deep.equal({
      rules: ['must have at most 150 characters of JSON altogether'],
    });
  });
});
