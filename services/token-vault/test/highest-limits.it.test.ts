import { expect } from 'chai';

import type { VaultConfig } from '../src/config.ts';
import { codeOf, failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';

const nested = (open: string, close: string, levels: number, inner = '') =>
  JSON.parse(`${open.repeat(levels)}${inner}${close.repeat(levels)}`) as unknown;

/** The same of what no operator can set. */
const others = (config: VaultConfig): VaultConfig => {
  const { limits } = config;
  const { token, access } = limits;
  return {
    ...config,
    limits: {
      ...limits,
      bodyNesting: 500,
      searchQueryLength: 1000,
      filtersLength: 1_048_576,
      sessionRulesLength: 131_072,
      token: {
        ...token,
        maskBytes: 1_048_576,
        maskNesting: 100,
        searchIndexes: 100,
        metadataEntries: 1000,
        metadataNameLength: 1000,
        metadataValueLength: 10_000,
        encryptionBytes: 65_536,
        searchValueLength: 10_000,
        expressions: { ...token.expressions, indexLength: 4096 },
      },
      access: { ...access, descriptionLength: 10_000, permissions: 1000, conditions: 100 },
    },
  };
};

/** What an operator can set at most; docs/settings.md. Nothing breaks there, however hostile the request. */
describe('the highest limits', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start(
      {
        MAX_BODY_BYTES: '16777216',
        MAX_TOKEN_DATA_BYTES: '2097152',
        MAX_DATA_NESTING: '100',
        MAX_TOKEN_ID_LENGTH: '440',
        MAX_CONTAINER_LENGTH: '1000',
        MAX_EXPRESSION_LENGTH: '4096',
        MAX_FILTERS: '100',
        MAX_PAGE_SIZE: '1000',
        MAX_RULES: '1000',
      },
      others,
    );
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('hold ids and containers of any characters, also beside each other', async () => {
    const { gateway, owner } = fixture;
    // Of three bytes each, and nothing that compresses.
    const id = (from: number) =>
      Array.from({ length: 440 }, (_, at) =>
        String.fromCharCode(0x4e00 + ((from + at * 7919) % 20_000)),
      ).join('');
    const container = `/${Array.from({ length: 998 }, (_, at) => ((at * 7919) % 36).toString(36)).join('')}/`;
    for (const from of [1, 2]) {
      const token = await gateway.create(owner, {
        type: 'token',
        data: 'x',
        id: id(from),
        containers: [container],
      });
      expect(token['id']).to.equal(id(from));
    }
    await gateway.associate(owner, id(1), id(2));
    expect(await gateway.use(owner, [`${id(1)} | upcase`])).to.deep.equal(['X']);
    let start: unknown = '';
    const seen: unknown[] = [];
    do {
      const page = await gateway.list(owner, `size=1&start=${String(start)}&container=${container}`);
      seen.push(...page.data.map((token) => token['id']));
      start = (page.pagination as { next?: string }).next;
    } while (start !== undefined);
    expect(seen).to.have.members([id(1), id(2)]);
  });

  it('let data and masks be followed to their ends', async () => {
    const { gateway, owner } = fixture;
    const data = nested('{"a":', '}', 100, '"deep"');
    const mask = nested('[', ']', 100, '"{{ data | json: \'$..a.a.a\' }}"');
    const plain = nested('[', ']', 100, '"*"');
    const path = `$${'.a'.repeat(100)}`;
    const token = await gateway.create(owner, {
      type: 'token',
      data,
      mask: plain,
      search_indexes: [`{{ data | json: "${path}" }}`],
    });
    expect(token['data']).to.deep.equal(data);
    const id = String(token['id']);
    expect(await gateway.use(owner, [`${id} | json: "${path}"`])).to.deep.equal(['deep']);
    const several = await failureOf(gateway.use(owner, [`${id} | json: "$..a"`]));
    expect(several.message).to.include('gives more than one value');
    const last = await gateway.use(owner, [`${id} | json: "$..[?@ == 'deep']"`]);
    expect(last).to.deep.equal(['deep']);
    // Its expression gives many values, which is what is wrong with it.
    const masked = await failureOf(gateway.create(owner, { type: 'token', data, mask }));
    expect(Object.keys(masked.errors ?? {})).to.have.length(1);
    const deeper = await failureOf(gateway.create(owner, { type: 'token', data: nested('[', ']', 400) }));
    expect(deeper.errors).to.deep.equal({ data: ['must not be nested deeper than 100 levels'] });
  });

  it('are no stack that overflows: bodies, queries and expressions as deep as they can be', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token({ a: 'x' });
    expect(await gateway.tokenize(owner, nested('[', ']', 100))).to.be.an('array');
    for (const body of [nested('[', ']', 499), nested('{"a":', '}', 499, '1')]) {
      const failure = await failureOf(gateway.tokenize(owner, body));
      expect(failure.message).to.include('100 levels');
      expect((await failureOf(gateway.create(owner, body))).code).to.equal('invalid_argument');
      const patched = await failureOf(
        gateway.update(owner, id, { data: body, mask: body, encryption: body }),
      );
      expect(Object.keys(patched.errors ?? {})).to.include.members(['data', 'mask']);
      expect((await gateway.search(owner, { ignored: body })).data).to.be.an('array');
    }
    for (const query of [
      `${'('.repeat(493)}type:token${')'.repeat(493)}`,
      `${'!'.repeat(990)}type:token`,
      `${'(!'.repeat(330)}type:token${')'.repeat(330)}`,
      `${'(id:1 OR '.repeat(90)}type:token${')'.repeat(90)}`,
      'id:1 '.repeat(199),
    ]) {
      expect((await gateway.search(owner, { query })).data, query.slice(0, 20)).to.be.an('array');
    }
    const deep = (open: string, inner: string, close: string) => {
      const levels = Math.floor((4000 - inner.length) / (open.length + close.length));
      return `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
    };
    const expressions = [
      deep('proxy[', '0', ']'),
      `proxy${'.a'.repeat(1990)}`,
      `proxy${'[0]'.repeat(1300)}`,
      `${id} | json: '$${'.a'.repeat(1900)}'`,
      `${id} | json: '$[?${deep('(', '@.a', ')').slice(0, 3900)}]'`,
      `${id} | json: '${deep('$[?', '@', ']').slice(0, 3900)}'`,
      `${id} | json: '$[?${'!'.repeat(3800)}@.a]'`,
      `${id} | json: '$${'..*'.repeat(1200)}'`,
      `${id} | append: ${deep('proxy[', '0', ']').slice(0, 3900)}`,
      `${id}${" | append: 'xxxxxxxxxxxxxxxxxxxxxx'".repeat(100)}`,
      `${id}${' | json_stringify'.repeat(101)}`,
    ];
    for (const expression of expressions) {
      const code = await codeOf(gateway.use(owner, [expression]));
      expect(code, expression.slice(0, 80)).to.be.oneOf(['ok', 'invalid_argument']);
    }
    const masks = [
      deep('data[', '0', ']'),
      `data${'.a'.repeat(1990)}`,
      `data | json: '$${'..*'.repeat(1200)}'`,
    ];
    for (const mask of masks) {
      const made = gateway.create(owner, { type: 'token', data: { a: 1 }, mask: `{{ ${mask} }}` });
      expect(await codeOf(made), mask.slice(0, 80)).to.be.oneOf(['ok', 'invalid_argument']);
    }
  });
});
