import { expect } from 'chai';

import { evaluateMask } from '../expressions/mask.ts';
import type { JsonValue } from '../values/json-value.ts';
import { defaultTokenLimits } from './data-limits.ts';
import { deriveValues } from './derive-values.ts';
import { tokenTypes } from './token-type.ts';

type Good = readonly [type: string, data: JsonValue, kept?: JsonValue];
type Bad = readonly [type: string, data: JsonValue, path: string, message: RegExp];

const number = '4242424242424242';
const bank = { routing_number: '021000021', account_number: '1234567890' };

const good: readonly Good[] = [
  ['token', 'x'],
  ['token', 0],
  ['token', false],
  ['token', ['a', { b: null }]],
  ['card', { number }],
  ['card', { number, expiration_month: 12, expiration_year: 2030, cvc: '123' }],
  [
    'card',
    { number, expiration_month: '02', expiration_year: '2030', cvc: 123 },
    { number, expiration_month: 2, expiration_year: 2030, cvc: '123' },
  ],
  ['card', { number, cvc: '0123', expiration_month: null }, { number, cvc: '0123' }],
  ['card', { number, holder: 'Ann' }],
  [
    'network_token',
    { number, expiration_month: '2', cryptogram: 'AgAAAAA=' },
    { number, expiration_month: 2, cryptogram: 'AgAAAAA=' },
  ],
  ['card', { number: '378282246310005', cvc: 1234 }, { number: '378282246310005', cvc: '1234' }],
  ['bank', bank],
  ['bank', { ...bank, account_number: '1'.repeat(17) }],
  ['card_number', '36227206271667'],
  ['us_bank_account_number', '123'],
  ['us_bank_account_number', '1'.repeat(17)],
  ['us_bank_routing_number', '110000000'],
  ['social_security_number', '123-45-6789'],
  ['social_security_number', '123456789'],
  ['employer_id_number', '12-3456789'],
  ['employer_id_number', '123456789'],
];

const bad: readonly Bad[] = [
  ['card', 'x', 'data', /must be an object/],
  ['card', [number], 'data', /must be an object/],
  ['card', {}, 'data.number', /is required/],
  ['card', { number: null }, 'data.number', /is required/],
  ['card', { number: 4_242_424_242_424_242 }, 'data.number', /must be text/],
  ['card', { number: '4242 4242 4242 4242' }, 'data.number', /13 to 19 digits without separators/],
  ['card', { number: '4242424242424241' }, 'data.number', /check digit is wrong/],
  ['card', { number: '0'.repeat(12) }, 'data.number', /13 to 19 digits/],
  ['card', { number: '0'.repeat(20) }, 'data.number', /13 to 19 digits/],
  ['card', { number: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢' }, 'data.number', /13 to 19 digits/],
  ['card', { number, expiration_month: 0 }, 'data.expiration_month', /from 1 to 12/],
  ['card', { number, expiration_month: 13 }, 'data.expiration_month', /from 1 to 12/],
  ['card', { number, expiration_month: 1.5 }, 'data.expiration_month', /from 1 to 12/],
  ['card', { number, expiration_month: 'May' }, 'data.expiration_month', /from 1 to 12/],
  ['card', { number, expiration_month: [1] }, 'data.expiration_month', /from 1 to 12/],
  ['card', { number, expiration_year: 30 }, 'data.expiration_year', /year of four digits/],
  ['card', { number, expiration_year: '20300' }, 'data.expiration_year', /year of four digits/],
  ['card', { number, cvc: '12' }, 'data.cvc', /3 or 4 digits/],
  ['card', { number, cvc: 12_345 }, 'data.cvc', /3 or 4 digits/],
  ['card', { number, cvc: 12.5 }, 'data.cvc', /3 or 4 digits/],
  ['card', { number, cvc: true }, 'data.cvc', /3 or 4 digits/],
  ['network_token', {}, 'data.number', /is required/],
  ['bank', 'x', 'data', /must be an object/],
  ['bank', { account_number: '1' }, 'data.routing_number', /is required/],
  ['bank', { routing_number: '021000021' }, 'data.account_number', /is required/],
  ['bank', { ...bank, routing_number: '021000022' }, 'data.routing_number', /check digit is wrong/],
  ['bank', { ...bank, routing_number: 21_000_021 }, 'data.routing_number', /must be text/],
  ['bank', { ...bank, account_number: '1'.repeat(18) }, 'data.account_number', /1 to 17 digits/],
  ['card_number', '4242', 'data', /13 to 19 digits/],
  ['card_number', 36_227_206_271_667, 'data', /must be text/],
  ['card_number', { number }, 'data', /must be text/],
  ['us_bank_account_number', '12', 'data', /3 to 17 digits/],
  ['us_bank_account_number', '12a', 'data', /3 to 17 digits/],
  ['us_bank_routing_number', '123456789', 'data', /check digit is wrong/],
  ['us_bank_routing_number', '12345678', 'data', /nine digits/],
  ['social_security_number', '123-456789', 'data', /nine digits/],
  ['social_security_number', '12-3456789', 'data', /nine digits/],
  ['social_security_number', '1234567890', 'data', /nine digits/],
  ['employer_id_number', '123-45-6789', 'data', /nine digits/],
  ['employer_id_number', ' 123456789', 'data', /nine digits/],
];

function read(name: string, data: JsonValue): { kept: JsonValue; problems: (readonly [string, string])[] } {
  const type = tokenTypes.get(name);
  if (!type) throw new Error(`no type ${name}`);
  const problems: (readonly [string, string])[] = [];
  const kept = type.readData(data, (path, message) => problems.push([path, message]));
  return { kept, problems };
}

describe('token types', () => {
  it('are those of the table', () => {
    expect([...tokenTypes.keys()]).to.deep.equal([
      'token',
      'card',
      'bank',
      'card_number',
      'us_bank_account_number',
      'us_bank_routing_number',
      'social_security_number',
      'employer_id_number',
      'network_token',
    ]);
  });

  for (const [type, data, kept = data] of good) {
    it(`${type} accepts ${JSON.stringify(data)}`, () => {
      expect(read(type, data)).to.deep.equal({ kept, problems: [] });
    });
  }

  for (const [type, data, path, message] of bad) {
    it(`${type} refuses ${JSON.stringify(data)}`, () => {
      const { problems } = read(type, data);
      expect(problems.map(([where]) => where)).to.deep.equal([path]);
      expect(problems[0]?.[1]).to.match(message);
    });
  }

  it('report everything that is wrong at once', () => {
    const { problems } = read('card', { number: '1', expiration_month: 0, expiration_year: 1, cvc: '' });
    expect(problems.map(([where]) => where)).to.deep.equal([
      'data.number',
      'data.expiration_month',
      'data.expiration_year',
      'data.cvc',
    ]);
  });

  it('never quote what they refuse', () => {
    for (const type of tokenTypes.keys()) {
      for (const data of [
        'CANARY',
        { number: 'CANARY', routing_number: 'CANARY', cvc: 'CANARY' },
        ['CANARY'],
      ]) {
        expect(JSON.stringify(read(type, data).problems), type).not.to.include('CANARY');
      }
    }
  });

  /** Default container, mask, fingerprint text and search values of a good token of each type. */
  const defaults: readonly (readonly [string, JsonValue, string, JsonValue | undefined, string, string[]])[] =
    [
      ['token', { a: 1 }, '/general/high/', undefined, '{"a":1}', []],
      [
        'card',
        { number, expiration_month: 12, expiration_year: 2030, cvc: '123' },
        '/pci/high/',
        { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 },
        number,
        [],
      ],
      [
        'bank',
        bank,
        '/bank/high/',
        { routing_number: '021000021', account_number: 'XXXXXX7890' },
        '1234567890|021000021',
        [],
      ],
      ['network_token', { number }, '/pci/high/', { number: 'XXXXXXXXXXXX4242' }, number, []],
      ['card_number', '36227206271667', '/pci/high/', 'XXXXXXXXXX1667', '36227206271667', []],
      ['us_bank_account_number', '1234567890', '/bank/high/', 'XXXXXX7890', '1234567890', []],
      ['us_bank_routing_number', '021000021', '/bank/low/', 'XXXXX0021', '021000021', []],
      [
        'social_security_number',
        '123-45-6789',
        '/pii/high/',
        'XXX-XX-6789',
        '123456789',
        ['123-45-6789', '123456789', '6789'],
      ],
      [
        'employer_id_number',
        '12-3456789',
        '/pii/high/',
        'XX-XXX6789',
        '123456789',
        ['12-3456789', '123456789', '6789'],
      ],
    ];
  for (const [name, data, container, shown, fingerprintText, searchValues] of defaults) {
    it(`${name} has the defaults of the table`, () => {
      const type = tokenTypes.get(name);
      if (!type) throw new Error(`no type ${name}`);
      expect(type.container).to.equal(container);
      expect(evaluateMask(type.mask, data)).to.deep.equal(shown);
      const problems: string[] = [];
      const derived = deriveValues({ ...type, data, metadata: undefined }, defaultTokenLimits, (path) =>
        problems.push(path),
      );
      expect(derived).to.deep.equal({ fingerprintText, searchValues });
      expect(problems).to.deep.equal([]);
    });
  }
});
