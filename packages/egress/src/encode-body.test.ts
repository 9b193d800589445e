import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { encodeBody } from './encode-body.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

describe('a body that a transform returned', () => {
  const table: [
    what: string,
    body: unknown,
    received: string | undefined,
    own: string | undefined,
    text: string,
    type: string | undefined,
  ][] = [
    ['nothing', undefined, json, undefined, '', undefined],
    ['null for a message without a body', null, undefined, undefined, '', undefined],
    ['null for JSON', null, json, undefined, 'null', json],
    ['null for a form', null, form, undefined, '', form],
    ['an object for JSON', { a: [1] }, json, undefined, '{"a":[1]}', json],
    [
      'an object for JSON of a kind',
      { a: 1 },
      'application/hal+json',
      undefined,
      '{"a":1}',
      'application/hal+json',
    ],
    ['an object without any type', { a: 1 }, undefined, undefined, '{"a":1}', json],
    ['a list for JSON', [1, 2], json, json, '[1,2]', json],
    ['a number for JSON', 5, json, undefined, '5', json],
    ['text for JSON', '{"a": 1}', json, undefined, '{"a": 1}', undefined],
    ['text for a form', 'a=%20b', form, form, 'a=%20b', form],
    ['text for any type', '<a/>', json, 'text/xml', '<a/>', 'text/xml'],
    ['empty text', '', json, undefined, '', undefined],
    [
      'an object for a form',
      { a: 'b c', n: 1.5, t: true, z: null },
      form,
      undefined,
      'a=b+c&n=1.5&t=true&z=',
      form,
    ],
    ['lists for a form', { a: ['x', 2, null], b: [] }, form, undefined, 'a=x&a=2&a=', form],
    ['an object for the type that it returned', { a: '&' }, json, form, 'a=%26', form],
    ['an object from a form for JSON', { a: '&' }, form, json, '{"a":"&"}', json],
  ];
  for (const [what, body, received, own, text, type] of table) {
    it(`is written rightly when it is ${what}`, () => {
      const headers = own === undefined ? [] : ['content-TYPE', own];
      const encoded = encodeBody({ headers, body }, received, 'request');
      expect(encoded.body.toString()).to.equal(text);
      expect(encoded.headers[1]).to.equal(type);
    });
  }

  const refused: [what: string, body: unknown, type: string][] = [
    ['an object in a form’s object', { a: { b: 1 } }, form],
    ['an object in a form’s list', { a: [{ b: 1 }] }, form],
    ['a list for a form', ['a'], form],
    ['a number for a form', 5, form],
    ['an object for text', { a: 1 }, 'text/plain'],
    ['an object for bytes', { a: 1 }, 'image/png'],
  ];
  for (const [what, body, type] of refused) {
    it(`is refused when it is ${what}`, () => {
      const result = { headers: ['Content-Type', type], body };
      expect(() => encodeBody(result, json, 'response')).to.throw(
        AppError,
        /^The response transform returned a body/,
      );
    });
  }
});
