import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { fitArguments } from './fit-arguments.ts';

/** `name:type`, with a question mark behind what is optional. */
function declared(text: string) {
  const parameters = text.split(' ').filter((part) => part !== '');
  return parameters.map((part) => {
    const [name = '', type = ''] = part.replace('?', '').split(':');
    return { name, type: type as 'string', optional: part.endsWith('?') };
  });
}

/** What is declared, what was given, and what the code gets: JSON text, or the problems. */
type Row = readonly [
  what: string,
  declaration: string,
  given: string,
  expected: string | Record<string, string>,
];

const mustBe = {
  string: 'must be a string',
  number: 'must be a number, or a decimal number as a string',
  boolean: 'must be a boolean, or true or false as a string',
};
const required = 'is required';

const rules: Readonly<Record<string, readonly Row[]>> = {
  'names (rules 1 and 3)': [
    ['are matched exactly', 'a:string', '{"a":"x"}', '{"a":"x"}'],
    ['differ by case', 'card:string?', '{"Card":"x","CARD":"y"}', '{}'],
    ['are decoded before they are compared', 'a:string', '{"\\u0061":"x"}', '{"a":"x"}'],
    ['lead through dots into objects', 'a.b.c:string', '{"a":{"b":{"c":"x"}}}', '{"a":{"b":{"c":"x"}}}'],
    ['may be written with their dots', 'a.b:number', '{"a.b":"1"}', '{"a.b":1}'],
    ['that are inherited mean nothing', 'a:string?', '{"toString":"x","constructor":{"a":"x"}}', '{}'],
    ['in arrays are none', 'a.b:string?', '{"a":[{"b":"x"}]}', '{}'],
    [
      'of a value and of an object go by what is given',
      'a:string? a.b:number?',
      '{"a":{"b":"1"}}',
      '{"a":{"b":1}}',
    ],
    ['of a value and of an object: the value', 'a:string? a.b:number?', '{"a":5}', '{"a":"5"}'],
  ],
  'what is not declared (rule 2)': [
    ['is removed', 'a:string', '{"a":"x","b":1,"c":{"a":"y"},"d":[1]}', '{"a":"x"}'],
    [
      'is removed at every depth',
      'a.b:string',
      '{"a":{"b":"x","c":1,"d":{"b":"y"}},"b":"z"}',
      '{"a":{"b":"x"}}',
    ],
    ['is removed though its object is declared', 'a.b:string?', '{"a":{"c":1}}', '{"a":{}}'],
    ['is removed where an object is declared', 'a.b:string?', '{"a":"x"}', '{}'],
    ['is removed when it is called __proto__', 'a:string', '{"__proto__":{"a":"y"},"a":"x"}', '{"a":"x"}'],
    ['is kept when nothing is declared', '', '{"a":[1.50,{"b":null}]}', '{"a":[1.50,{"b":null}]}'],
    ['is kept when nothing is declared, and in arrays', '', ' [1, {"a":2}] ', '[1, {"a":2}]'],
  ],
  'what is required (rule 4)': [
    ['must be there', 'a:string b:number c:boolean?', '{}', { 'args.a': required, 'args.b': required }],
    ['must be there in objects', 'a.b:string', '{"a":{"c":1}}', { 'args.a.b': required }],
    ['must be there when its object is not one', 'a.b:string', '{"a":"x"}', { 'args.a.b': required }],
    ['must not be null', 'a:string', '{"a":null}', { 'args.a': required }],
    ['may be null when it is optional', 'a:string?', '{"a":null}', '{"a":null}'],
    ['may be missing when it is optional', 'a:string? b.c:number?', '{}', '{}'],
    [
      'counts as absent when the last of its name is null',
      'a:string',
      '{"a":"x","a":null}',
      { 'args.a': required },
    ],
  ],
  'casts (rule 5)': [
    [
      'are made to the declared type',
      'a:number b:string c:boolean',
      '{"a":"1.5","b":2,"c":"true"}',
      '{"a":1.5,"b":"2","c":true}',
    ],
    [
      'keep the digits',
      'a:string b:number',
      '{"a":12345678901234567890,"b":1.10}',
      '{"a":"12345678901234567890","b":1.10}',
    ],
    [
      'that are impossible are all named at once',
      'a:number b.c:boolean d:string e:string',
      '{"a":"x","b":{"c":"yes"},"d":{"x":1}}',
      {
        'args.a': mustBe.number,
        'args.b.c': mustBe.boolean,
        'args.d': mustBe.string,
        'args.e': required,
      },
    ],
    ['are demanded of what is optional too', 'a:number?', '{"a":"x"}', { 'args.a': mustBe.number }],
    [
      'check the last of a name',
      'a:number b.c:number',
      '{"a":"x","b":{"c":[]},"a":1,"b":{"c":2}}',
      '{"a":1,"b":{"c":2}}',
    ],
  ],
  'the whole': [
    ['is an object when it is null', 'a:string?', 'null', '{}'],
    ['is an object when it is null, declared or not', '', 'null', '{}'],
    ['must not be an array', 'a:string?', '[]', { args: 'must be an object' }],
    ['must not be a string', 'a:string?', '"x"', { args: 'must be an object' }],
    ['must not be a number', '', '5', { args: 'must be an object or an array' }],
    ['must not be a string when nothing is declared', '', '"x"', { args: 'must be an object or an array' }],
  ],
};

describe('the arguments of a reactor', () => {
  for (const [rule, rows] of Object.entries(rules)) {
    describe(`by ${rule}:`, () => {
      for (const [what, declaration, given, expected] of rows) {
        it(what, () => {
          expect(outcome(declaration, given)).to.deep.equal(expected);
        });
      }
    });
  }

  it('may come whole from one token with complex data (rule 6)', () => {
    const card = '{"number":"4242424242424242","expiration_month":12,"expiration_year":2030,"cvc":"123"}';
    expect(outcome('card.number:string card.expiration_month:string', `{"card":${card}}`)).to.equal(
      '{"card":{"number":"4242424242424242","expiration_month":"12"}}',
    );
  });

  it('are refused with a validation error', () => {
    const check = () => fitArguments(declared('a:string'), '{}');
    expect(check).to.throw(AppError, 'args.a: is required');
  });

  it('are fitted in little time, however large they are', () => {
    const name = Array.from({ length: 100 }, () => 'a').join('.');
    const deep = `${'{"a":'.repeat(99)}{"a":"x","b":"${'y'.repeat(1_000_000)}"}${'}'.repeat(99)}`;
    const wide = `{${Array.from({ length: 100_000 }, (_, i) => `"x${i}":1`).join(',')},"a":"x"}`;
    for (const [declaration, given] of [
      [`${name}:string`, deep],
      ['a:string', wide],
    ] as const) {
      const started = performance.now();
      expect(outcome(declaration, given)).to.be.a('string');
      expect(performance.now() - started).to.be.lessThan(1000);
    }
  });
});

/** The fitted text, or the first problem of each path. */
function outcome(declaration: string, given: string): string | Record<string, string | undefined> {
  try {
    return fitArguments(declared(declaration), given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Object.fromEntries(Object.entries(error.errors).map(([path, [problem]]) => [path, problem]));
  }
}
