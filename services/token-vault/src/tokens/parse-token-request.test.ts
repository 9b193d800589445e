import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';
import fc from 'fast-check';

import type { JsonValue } from '../values/json-value.ts';
import { ValidationProblems } from '../values/validation-problems.ts';
import { defaultTokenLimits } from './data-limits.ts';
import { parseTokenRequest, readTokenRequest, type TokenRequest } from './parse-token-request.ts';

const now = Date.UTC(2026, 10, 21);
const card = { type: 'card', data: { number: '4242424242424242' } };

function parse(body: JsonValue): TokenRequest {
  return parseTokenRequest(body, now, defaultTokenLimits);
}

function errorsOf(body: JsonValue): unknown {
  try {
    parse(body);
    return 'accepted';
  } catch (error) {
    if (error instanceof AppError) return error.errors;
    throw error;
  }
}

describe('parseTokenRequest', () => {
  it('takes booleans and numbers in metadata for their text', () => {
    const metadata = {
      paid: true,
      late: false,
      amount: 19.9,
      count: -3,
      id: 9_007_199_254_740_991,
      name: '1',
    };
    expect(parse({ ...card, metadata }).metadata).to.deep.equal({
      paid: 'true',
      late: 'false',
      amount: '19.9',
      count: '-3',
      id: '9007199254740991',
      name: '1',
    });
  });

  it('takes an entry of metadata without a value for none', () => {
    expect(parse({ ...card, metadata: { a: null, b: '1' } }).metadata).to.deep.equal({ b: '1' });
  });

  it("takes a type's defaults for what is absent", () => {
    expect(parse(card)).to.deep.equal({
      id: undefined,
      type: 'card',
      data: { number: '4242424242424242' },
      mask: {
        number: '{{ data.number | reveal_last: 4 }}',
        expiration_month: '{{ data.expiration_month }}',
        expiration_year: '{{ data.expiration_year }}',
      },
      fingerprintExpression: '{{ data.number }}',
      container: '/pci/high/',
      metadata: undefined,
      searchIndexes: [],
      expiresAt: undefined,
      deduplicateToken: undefined,
      asksForFingerprint: false,
      encryption: undefined,
    });
  });

  it('treats null like an absent attribute', () => {
    const names =
      'id mask fingerprint_expression containers metadata search_indexes expires_at deduplicate_token encryption privacy';
    const nulls = Object.fromEntries(names.split(' ').map((name) => [name, null]));
    expect(parse({ ...card, ...nulls })).to.deep.equal(parse(card));
  });

  it('takes every attribute that is given', () => {
    const request = parse({
      type: 'token',
      data: { a: 1 },
      id: 'my-id',
      mask: { a: '{{ data.a }}' },
      fingerprint_expression: '{{ data.a }}',
      containers: ['/Customer-1/PII/'],
      metadata: { customer: 'c-9' },
      search_indexes: ['{{ data.a }}'],
      expires_at: '8/26/2030 7:23:57 PM -07:00',
      deduplicate_token: true,
      encryption: { cek: { key: 'k', alg: 'a', other: 1 }, kek: { key: 'k2', prov: 'p' } },
    });
    expect(request).to.deep.equal({
      id: { kind: 'literal', id: 'my-id' },
      type: 'token',
      data: { a: 1 },
      mask: { a: '{{ data.a }}' },
      fingerprintExpression: '{{ data.a }}',
      container: '/customer-1/pii/',
      metadata: { customer: 'c-9' },
      searchIndexes: ['{{ data.a }}'],
      expiresAt: { epochMs: Date.UTC(2030, 7, 27, 2, 23, 57), text: '2030-08-26T19:23:57-07:00' },
      deduplicateToken: true,
      asksForFingerprint: true,
      encryption: { cek: { key: 'k', alg: 'a' }, kek: { key: 'k2', prov: 'p' } },
    });
  });

  it('keeps an empty list of search indexes; an empty list of containers means the default', () => {
    const ssn = { type: 'social_security_number', data: '123-45-6789' };
    expect(parse(ssn).searchIndexes).to.have.length(3);
    const request = parse({ ...ssn, search_indexes: [], containers: [] });
    expect([request.searchIndexes, request.container]).to.deep.equal([[], '/pii/high/']);
  });

  it('keeps data in the form of its type', () => {
    const data = { number: '4242424242424242', expiration_month: '02', expiration_year: '2030', cvc: 123 };
    expect(parse({ type: 'card', data }).data).to.deep.equal({
      number: '4242424242424242',
      expiration_month: 2,
      expiration_year: 2030,
      cvc: '123',
    });
  });

  it('ignores attributes that are not known, also in camel case', () => {
    const extra = {
      tenant_id: 'x',
      searchIndexes: 5,
      expiresAt: 'x',
      fingerprint: 'x',
      created_at: 1,
      _extras: {},
    };
    expect(parse({ ...card, ...extra })).to.deep.equal(parse(card));
  });

  it('accepts data that is false, zero or empty', () => {
    for (const data of [false, 0, '', [], {}]) {
      expect(parse({ type: 'token', data }).data).to.deep.equal(data);
    }
  });

  it('derives the container from privacy, unless a container is given', () => {
    const container = (extra: object): string => parse({ ...card, ...extra }).container;
    expect(container({ privacy: { classification: 'pii', impact_level: 'low' } })).to.equal('/pii/low/');
    expect(container({ privacy: { impact_level: 'moderate' } })).to.equal('/pci/moderate/');
    expect(container({ privacy: { restriction_policy: 'mask' } })).to.equal('/pci/high/');
    expect(container({ privacy: { classification: 'pii' }, containers: ['/a/'] })).to.equal('/a/');
    expect(errorsOf({ ...card, privacy: { classification: 'x', impact_level: 'y' } })).to.deep.equal({
      'privacy.classification': ['must be one of general, bank, pci, pii'],
      'privacy.impact_level': ['must be one of low, moderate, high'],
    });
    expect(errorsOf({ privacy: { classification: 'x' } })).to.have.all.keys([
      'type',
      'data',
      'privacy.classification',
    ]);
  });
});

/** Each row is one thing that is wrong with an otherwise good request. */
const wrong: readonly (readonly [attributes: object, path: string, message: RegExp])[] = [
  [{ type: undefined }, 'type', /is required/],
  [{ type: 'visa' }, 'type', /must be one of token, card, bank/],
  [{ type: 5 }, 'type', /must be one of/],
  [{ type: 'toString' }, 'type', /must be one of/],
  [{ data: undefined }, 'data', /is required/],
  [{ data: null }, 'data', /is required/],
  [{ data: 'x'.repeat(1024 * 1024) }, 'data', /larger than 1048576 bytes/],
  [{ data: { number: '4242' } }, 'data.number', /13 to 19 digits/],
  [{ id: 'a/b' }, 'id', /must not contain/],
  [{ mask: { number: '{{ data.number, reveal_last: 4 }}' } }, 'mask.number', /cannot be read/],
  [{ mask: '{% if %}' }, 'mask', /tags/],
  [{ mask: { n: [2 ** 60] } }, 'mask.n[0]', /too large to be kept exactly/],
  [{ fingerprint_expression: 5 }, 'fingerprint_expression', /must be text/],
  [{ fingerprint_expression: '' }, 'fingerprint_expression', /must not be empty/],
  [{ fingerprint_expression: '{{ data' }, 'fingerprint_expression', /unclosed/],
  [{ fingerprint_expression: 'x'.repeat(401) }, 'fingerprint_expression', /longer than 400/],
  [{ containers: '/a/' }, 'containers', /must be an array/],
  [{ privacy: 'pci' }, 'privacy', /must be an object/],
  [{ privacy: { classification: 'x' }, containers: ['/a/'] }, 'privacy.classification', /must be one of/],
  [{ containers: ['/a/', '/b/'] }, 'containers', /more than one container/],
  [{ containers: ['a'] }, 'containers[0]', /must be a path/],
  [{ containers: ['/a//b/'] }, 'containers[0]', /must be a path/],
  [{ containers: [5] }, 'containers[0]', /must be a path/],
  [{ containers: [null] }, 'containers[0]', /must be a path/],
  [{ metadata: 'x' }, 'metadata', /must be an object/],
  [{ metadata: ['x'] }, 'metadata', /must be an object/],
  [{ metadata: { a: {} } }, 'metadata.a', /must be text, a number or a boolean/],
  [{ metadata: { a: 2 ** 53 } }, 'metadata.a', /must be sent as text/],
  [{ metadata: { a: 'x'.repeat(501) } }, 'metadata.a', /longer than 500/],
  [{ metadata: { a: 'x\u0000' } }, 'metadata.a', /U\+0000/],
  [{ metadata: { a: '\ud800' } }, 'metadata.a', /broken text/],
  [{ metadata: { '': 'x' } }, 'metadata.', /name of 1 to 200/],
  [{ metadata: { ['k'.repeat(201)]: 'x' } }, `metadata.${'k'.repeat(201)}`, /name of 1 to 200/],
  [
    { metadata: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [String(i), 'x'])) },
    'metadata',
    /more than 100 entries/,
  ],
  [{ search_indexes: '{{ data }}' }, 'search_indexes', /must be an array/],
  [{ search_indexes: Array(11).fill('{{ data }}') }, 'search_indexes', /more than 10 expressions/],
  [{ search_indexes: ['{{ data }}', 5] }, 'search_indexes[1]', /must be an expression/],
  [{ search_indexes: [''] }, 'search_indexes[0]', /must be an expression/],
  [{ search_indexes: ['{{ data | nope }}'] }, 'search_indexes[0]', /unknown filter/],
  [{ expires_at: 5 }, 'expires_at', /must be text/],
  [{ expires_at: 'soon' }, 'expires_at', /must be a date and time/],
  [{ expires_at: '2026-11-20' }, 'expires_at', /must not be in the past/],
  [{ expires_at: '2026-11-21T00:00:00Z' }, 'expires_at', /must not be in the past/],
  [{ deduplicate_token: 'true' }, 'deduplicate_token', /must be true or false/],
  [{ encryption: 'x' }, 'encryption', /must be an object/],
  [{ encryption: { cek: { key: 'k' } } }, 'encryption.kek.key', /is required/],
  [{ encryption: { cek: { key: 1 }, kek: { key: 'k' } } }, 'encryption.cek.key', /must be text/],
  [{ encryption: { cek: { key: 'k' }, kek: { key: 'k', prov: {} } } }, 'encryption.kek.prov', /must be text/],
  [{ encryption: { cek: { key: 'x'.repeat(9000) }, kek: { key: 'k' } } }, 'encryption', /larger than 8192/],
];

describe('a wrong token request', () => {
  for (const [attributes, path, message] of wrong) {
    it(`gets what is wrong with ${JSON.stringify(attributes).slice(0, 70)}`, () => {
      const errors = errorsOf({ ...card, ...attributes }) as Record<string, string[]>;
      expect(Object.keys(errors)).to.deep.equal([path]);
      expect(errors[path]?.[0]).to.match(message);
    });
  }

  for (const body of [null, 'x', 5, true, [], [card]]) {
    it(`gets the error that ${JSON.stringify(body)} is no object`, () => {
      expect(() => parse(body)).to.throw(AppError, 'The request body must be a JSON object.');
    });
  }

  it('gets all problems at once', () => {
    const errors = errorsOf({
      type: 'visa',
      id: 'x',
      mask: '{{',
      containers: ['x'],
      expires_at: '1999-01-01',
      metadata: { a: [], b: {} },
    }) as object;
    expect(Object.keys(errors).toSorted()).to.deep.equal([
      'containers[0]',
      'data',
      'expires_at',
      'id',
      'mask',
      'metadata.a',
      'metadata.b',
      'type',
    ]);
  });

  it('is named by its path', () => {
    const problems = new ValidationProblems();
    readTokenRequest(
      { type: 'card', data: { number: '1' } },
      now,
      defaultTokenLimits,
      problems.at('cards[0]'),
    );
    readTokenRequest({}, now, defaultTokenLimits, problems.at('cards[1]'));
    try {
      problems.throwIfAny();
      expect.fail('accepted');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(Object.keys(error.errors)).to.deep.equal([
        'cards[0].data.number',
        'cards[1].type',
        'cards[1].data',
      ]);
    }
  });

  it('repeats nothing of its values in errors', () => {
    const canary = 'CANARY';
    const body = Object.fromEntries(
      'type data id mask fingerprint_expression containers metadata search_indexes expires_at deduplicate_token encryption'
        .split(' ')
        .map((name) => [name, [canary, { [name]: canary }]]),
    );
    expect(JSON.stringify(errorsOf(body))).not.to.include(canary);
    expect(JSON.stringify(errorsOf({ ...card, data: { number: canary, cvc: canary } }))).not.to.include(
      canary,
    );
  });

  it('is never anything but a request or a list of problems, whatever JSON it is', () => {
    const names = fc.constantFrom(
      ...'type data id mask fingerprint_expression containers metadata search_indexes expires_at privacy encryption'.split(
        ' ',
      ),
    );
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<JsonValue>('card', 'bank', 'token', '{{ data }}', ['/a/'], card.data, { number: [] }),
    );
    fc.assert(
      fc.property(fc.dictionary(names, values), (body) => {
        try {
          parse(body as JsonValue);
        } catch (error) {
          expect(error).to.be.instanceOf(AppError);
          expect(Object.keys((error as AppError).errors)).not.to.deep.equal([]);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
