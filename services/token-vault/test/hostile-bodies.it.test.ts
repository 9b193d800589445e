import { expect } from 'chai';
import * as fc from 'fast-check';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';

describe('a body that is not what it should be', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const code = async (body: Buffer): Promise<string> =>
    (await failureOf(fixture.gateway.createRaw(fixture.owner, body))).code;
  const tokenizeCode = async (body: Buffer): Promise<string> => {
    const operation = { $case: 'tokenize', value: { body } } as const;
    return (await failureOf(fixture.gateway.call(fixture.owner.key, operation))).code;
  };

  const notJson: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    'white space': Buffer.from(' \n'),
    words: Buffer.from('hello'),
    'JSON that is cut off': Buffer.from('{"type":"token","data":"x'),
    'two values': Buffer.from('{}{}'),
    'a trailing comma': Buffer.from('{"type":"token","data":[1,]}'),
    'single quotes': Buffer.from(`{'type':'token'}`),
    NaN: Buffer.from('{"type":"token","data":NaN}'),
    'a raw control character': Buffer.from('{"type":"token","data":"\u0001"}'),
    'a raw NUL': Buffer.from('{"type":"token","data":"\0"}'),
    'invalid UTF-8': Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    'overlong UTF-8': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
    'half a surrogate in UTF-8': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    'UTF-16': Buffer.from('{"type":"token"}', 'utf16le'),
    'a million brackets': Buffer.from('['.repeat(1_000_000)),
    'a million braces': Buffer.from('{"a":'.repeat(300_000)),
    'deep, but closed': Buffer.from('['.repeat(5000) + ']'.repeat(5000)),
  };
  for (const [name, body] of Object.entries(notJson)) {
    it(`is refused: ${name}`, async () => {
      expect(await code(body)).to.equal('invalid_argument');
      expect(await tokenizeCode(body)).to.equal('invalid_argument');
    });
  }

  it('is refused as too large before it is looked at', async () => {
    expect(await code(Buffer.alloc(2 * 1024 * 1024 + 1, '['))).to.equal('too_large');
  });

  const wrong: Record<string, [body: unknown, ...paths: string[]]> = {
    'an empty object': [{}, 'type', 'data'],
    'null for all': [{ type: null, data: null }, 'type', 'data'],
    'wrong types': [
      {
        type: 7,
        data: 1,
        id: {},
        mask: '{{',
        metadata: [],
        containers: '/a/',
        search_indexes: {},
        fingerprint_expression: 5,
        expires_at: 12,
        deduplicate_token: 'yes',
        encryption: 'none',
      },
      'type',
      'id',
      'mask',
      'metadata',
      'containers',
      'search_indexes',
      'fingerprint_expression',
      'expires_at',
      'deduplicate_token',
      'encryption',
    ],
    'an unknown type': [{ type: '__proto__', data: 1 }, 'type'],
    'a card without its number': [{ type: 'card', data: { cvc: '123' } }, 'data.number'],
    'a past expiry': [{ type: 'token', data: 1, expires_at: '2020-01-01' }, 'expires_at'],
    'a container that is none': [{ type: 'token', data: 1, containers: ['/a//b/'] }, 'containers[0]'],
    'an id with forbidden characters': [{ type: 'token', data: 1, id: 'a/b' }, 'id'],
    'an alias that gives no id': [{ type: 'token', data: 'a/b', id: 'x-{{ data }}' }, 'id'],
    'an alias that fails on the data': [{ type: 'token', data: 'a', id: '{{ data | to_number }}' }, 'id'],
    'an expression that fails on the data': [
      { type: 'token', data: { a: [] }, fingerprint_expression: '{{ data.a | to_number }}' },
      'fingerprint_expression',
    ],
    'an index without a value': [
      { type: 'token', data: {}, search_indexes: ['{{ data.a }}'] },
      'search_indexes[0]',
    ],
  };
  for (const [name, [body, ...paths]] of Object.entries(wrong)) {
    it(`has every problem named: ${name}`, async () => {
      const failure = await failureOf(fixture.gateway.create(fixture.owner, body));
      expect(failure.code).to.equal('invalid_argument');
      expect(Object.keys(failure.errors)).to.include.members(paths);
    });
  }

  for (const body of [[], null, 'token', 5]) {
    it(`is refused because it must be an object, in the words of the other services: ${JSON.stringify(body)}`, async () => {
      const failure = await failureOf(fixture.gateway.create(fixture.owner, body));
      expect(failure).to.include({
        code: 'invalid_argument',
        message: 'The request body must be a JSON object.',
      });
      expect(failure.errors).to.deep.equal({});
    });
  }

  it('is refused by tokenize when it is null: there is no bare null for an answer', async () => {
    expect(await tokenizeCode(Buffer.from('null'))).to.equal('invalid_argument');
  });

  const odd = [
    '\0',
    'a\0b',
    '\ud800',
    '\udc00x',
    '\uffff',
    '\u{10ffff}',
    '\u202e',
    '\\u0000',
    '__proto__',
    'constructor',
  ];
  it('never gives an internal error for odd characters anywhere', async () => {
    for (const text of odd) {
      const bodies = [
        { type: 'token', data: text },
        { type: 'token', data: { [text]: text } },
        { type: 'token', data: [text], mask: { [text]: text } },
        { type: 'token', data: 1, id: `id ${text}` },
        { type: 'token', data: 1, metadata: { [text]: 'x' } },
        { type: 'token', data: 1, metadata: { x: text } },
        { type: 'token', data: 1, containers: [`/${text}/`] },
        { type: 'token', data: 1, fingerprint_expression: text },
        { type: 'token', data: 1, search_indexes: [text] },
        { type: 'token', data: 1, search_indexes: [`{{ data | append: "${text}" }}`] },
        { type: 'token', data: 1, expires_at: text },
        { type: 'token', data: 1, encryption: { cek: { key: text }, kek: { key: text } } },
        { type: text, data: 1 },
      ];
      for (const body of bodies) {
        const outcome = await fixture.gateway.create(fixture.owner, body).then(
          async (token) => {
            expect(await fixture.gateway.use(fixture.owner, [String(token['id'])])).to.deep.equal([
              body.data,
            ]);
            return 'ok';
          },
          (error: { code: string }) => error.code,
        );
        expect(outcome, JSON.stringify(body)).to.be.oneOf(['ok', 'invalid_argument', 'conflict']);
      }
    }
  });

  it('never gives an internal error whatever JSON it is, and what it took it gives back', async () => {
    const unit = fc.constantFrom(
      'a',
      '\0',
      '\ud800',
      '\udc00',
      '"',
      '\\',
      '{{',
      '}}',
      ' data ',
      '|',
      '\u{1f511}',
    );
    const text = fc.string({ unit, maxLength: 12 });
    const value = fc.jsonValue({ maxDepth: 4, stringUnit: unit });
    const body = fc.record(
      {
        type: fc.constantFrom('token', 'card', 'bank', 'card_number', 'nope'),
        data: value,
        id: fc.option(text),
        mask: value,
        metadata: fc.dictionary(text, text),
        search_indexes: fc.array(text),
        fingerprint_expression: fc.option(text),
        expires_at: fc.option(fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
        encryption: value,
      },
      { requiredKeys: ['type', 'data'] },
    );
    await fc.assert(
      fc.asyncProperty(body, async (request) => {
        const outcome = await fixture.gateway.create(fixture.owner, request).then(
          async ({ id, data }) => {
            expect(await fixture.gateway.use(fixture.owner, [String(id)])).to.deep.equal([data]);
            return 'ok';
          },
          (error: { code: string }) => error.code,
        );
        expect(outcome).to.be.oneOf(['ok', 'invalid_argument', 'conflict']);
      }),
      { numRuns: 300 },
    );
  });

  it('never gives an internal error as a patch, whatever JSON it is, and what it took it gives back', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const patch = fc.record(
      {
        data: fc.oneof(value, fc.constant(card), fc.constant({ cvc: null })),
        mask: fc.oneof(value, fc.constant({ a: '{{ data.number }}' })),
        metadata: fc.oneof(value, fc.dictionary(fc.string(), fc.option(fc.string()))),
        containers: fc.oneof(value, fc.constant(['/a/'])),
        search_indexes: fc.oneof(value, fc.constant(['{{ data | stringify }}'])),
        fingerprint_expression: fc.oneof(value, fc.constant('{{ data | stringify }}')),
        expires_at: fc.oneof(value, fc.constant('2050-01-01')),
        privacy: fc.oneof(value, fc.constant({ impact_level: 'low' })),
        deduplicate_token: fc.oneof(value, fc.boolean()),
        encryption: value,
        type: fc.constantFrom('token', 'card'),
      },
      { requiredKeys: [] },
    );
    const ids = [await fixture.token({ a: 1 }), await fixture.token(card)];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ids), patch, async (id, request) => {
        const before = await fixture.gateway.get(fixture.owner, id);
        const outcome = await fixture.gateway.update(fixture.owner, id, request).then(
          (token) => token,
          (error: { code: string }) => error.code,
        );
        if (typeof outcome === 'string') {
          expect(outcome).to.be.oneOf(['invalid_argument', 'conflict']);
          expect(await fixture.gateway.get(fixture.owner, id)).to.deep.equal(before);
        } else if (outcome['id'] === id) {
          expect(await fixture.gateway.get(fixture.owner, id)).to.deep.equal(outcome);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('leaves the vault working', async () => {
    expect(await fixture.gateway.use(fixture.owner, [await fixture.token(card)])).to.deep.equal([card]);
  });
});
