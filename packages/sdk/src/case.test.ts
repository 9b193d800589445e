import { expect } from 'chai';
import fc from 'fast-check';

import { renameKeys, toCamelCase, toSnakeCase } from './case.ts';

describe('case conversion', () => {
  const pairs: Readonly<Record<string, string>> = {
    some_field: 'someField',
    fingerprint_expression: 'fingerprintExpression',
    id: 'id',
    last4: 'last4',
    created_at: 'createdAt',
    a_b_c: 'aBC',
    '': '',
  };
  for (const [snake, camel] of Object.entries(pairs)) {
    it(`of "${snake}" and "${camel}", both ways`, () => {
      expect(toCamelCase(snake)).to.equal(camel);
      if (snake !== 'a_b_c') expect(toSnakeCase(camel)).to.equal(snake);
    });
  }

  const toCamel: Readonly<Record<string, string>> = {
    _extras: 'extras',
    Name: 'name',
    'rules[0].container': 'rules[0]Container',
    API_KEY: 'apiKey',
    alreadyCamel: 'alreadyCamel',
    'dash-ed': 'dashEd',
    line_1a: 'line1A',
    _: '_',
  };
  for (const [from, to] of Object.entries(toCamel)) {
    it(`to camelCase of ${from}`, () => expect(toCamelCase(from)).to.equal(to));
  }

  const toSnake: Readonly<Record<string, string>> = {
    API_KEY: 'api_key',
    someURLPart: 'some_url_part',
    'dash-ed': 'dash_ed',
    already_snake: 'already_snake',
    _: '_',
  };
  for (const [from, to] of Object.entries(toSnake)) {
    it(`to snake_case of ${from}`, () => expect(toSnakeCase(from)).to.equal(to));
  }

  it('keeps every value, and every object that is not plain, as it is', () => {
    const date = new Date();
    const bytes = new Uint8Array(1);
    const value = { dateOf: date, bytesOf: bytes, list: [{ aB: null }, 'aB'], none: undefined };
    const renamed = renameKeys(value, toSnakeCase) as Record<string, unknown>;
    expect(renamed['date_of']).to.equal(date);
    expect(renamed['bytes_of']).to.equal(bytes);
    expect(renamed['list']).to.deep.equal([{ a_b: null }, 'aB']);
    expect(renamed).to.have.property('none', undefined);
  });

  it('leaves alone what is named, on the outermost level only', () => {
    const value = { data: { aB: 1 }, inner: { data: { aB: 1 } } };
    expect(renameKeys(value, toSnakeCase, ['data'])).to.deep.equal({
      data: { aB: 1 },
      inner: { data: { a_b: 1 } },
    });
  });

  it('changes nothing about snake_case when it goes there and back', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    const key = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('_'));
    fc.assert(fc.property(key, (snake) => toSnakeCase(toCamelCase(snake)) === snake));
  });

  it('never adds to a prototype', () => {
    const renamed = renameKeys(JSON.parse('{"__proto__":{"x":1}}'), (key) => key) as object;
    expect(Object.getPrototypeOf(renamed)).to.equal(Object.prototype);
    expect(Object.keys(renamed)).to.deep.equal(['__proto__']);
  });
});
