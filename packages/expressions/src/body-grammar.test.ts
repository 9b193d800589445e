import { expect } from 'chai';
import fc from 'fast-check';

import { bodyGrammar } from './body-grammar.ts';

const utf8 = true;

describe('bodyGrammar', () => {
  const kinds: Readonly<Record<'json' | 'form' | 'text' | 'none', readonly string[]>> = {
    json: [
      'application/json',
      'APPLICATION/JSON',
      ' application/json ;charset=UTF-8',
      'application/json; charset="utf-8"',
      'application/vnd.api+json',
      'application/problem+json; q=1',
      'text/json',
    ],
    form: ['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded; charset=utf8'],
    text: [
      '',
      'nonsense',
      '/',
      ';',
      'text/plain',
      'text/xml; charset=us-ascii',
      'application/xml',
      'application/soap+xml',
      'image/svg+xml',
      'SALEM05210/SLM',
      'application/x-ndjson',
      'application/jsonx',
      'application/grpc-web-text',
      'multipart/form-data',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
      'multipart/form-data; boundary=""',
    ],
    none: [
      'image/png',
      'Audio/MPEG',
      'video/mp4; codecs="avc1"',
      'font/woff2',
      'application/octet-stream',
      'application/pdf',
      'application/zip',
      'application/gzip',
      'application/x-gzip',
      'application/x-protobuf',
      'application/protobuf; proto=a.B',
      'application/vnd.google.protobuf',
      'application/grpc',
      'application/grpc+json',
      'application/grpc-web+proto',
      'application/wasm',
      'application/cbor',
      'application/senml+cbor',
      'application/msgpack',
      'application/vnd.ms-excel',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/epub+zip',
    ],
  };
  for (const [kind, types] of Object.entries(kinds)) {
    for (const type of types) {
      it(`takes ${JSON.stringify(type)} for ${kind}`, () => {
        expect(bodyGrammar(type)).to.deep.equal(kind === 'none' ? { kind } : { kind, utf8 });
      });
    }
  }

  it('takes a body without a content type for text', () => {
    expect(bodyGrammar(undefined)).to.deep.equal({ kind: 'text', utf8 });
  });

  const others = [
    'application/json; charset=utf-16',
    'application/json;charset=ISO-8859-1;charset=utf-8',
    'text/plain; charset="windows-1252"',
    'text/plain; a="b; charset=utf-8"; charset=koi8-r',
    'application/x-www-form-urlencoded; charset=',
  ];
  for (const type of others) {
    it(`sees that ${type} is not UTF-8`, () => expect(bodyGrammar(type)).to.include({ utf8: false }));
  }

  it('does not look for a charset within a quoted parameter', () => {
    expect(bodyGrammar('text/plain; a="b; charset=utf-16"')).to.deep.equal({ kind: 'text', utf8 });
    expect(bodyGrammar('text/plain; a="\\"; charset=utf-16"')).to.deep.equal({ kind: 'text', utf8 });
  });

  const boundaries: readonly (readonly [string, string])[] = [
    ['multipart/form-data; boundary=----x1', '----x1'],
    ['Multipart/Mixed; charset=utf-16; Boundary="a b:c\\"d"', 'a b:c"d'],
  ];
  for (const [type, boundary] of boundaries) {
    it(`reads the boundary of ${type}`, () => {
      expect(bodyGrammar(type)).to.deep.equal({ kind: 'multipart', boundary });
    });
  }

  it('chooses one for any header', () => {
    fc.assert(fc.property(fc.string(), (type) => typeof bodyGrammar(type).kind === 'string'));
  });

  it('reads a long hostile header quickly', () => {
    const started = performance.now();
    for (const part of [';', ';a', '; a', ';a=', ';a="', ';a="\\', ' '])
      bodyGrammar(`text/plain;${part.repeat(8000)}`);
    expect(performance.now() - started).to.be.lessThan(2000);
  });
});
