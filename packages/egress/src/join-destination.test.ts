import { expect } from 'chai';
import fc from 'fast-check';

import { joinDestination } from './join-destination.ts';

function outcome(base: string, subPath: string, query: string): string {
  const joined = joinDestination(base, subPath, query);
  return joined.ok ? joined.origin + joined.path : joined.reason;
}

const joins: readonly (readonly [base: string, subPath: string, query: string, expected: string])[] = [
  ['https://example.org/api', '/foo/bar', '?param=v', 'https://example.org/api/foo/bar?param=v'],
  ['https://example.org/api', '', '', 'https://example.org/api'],
  ['https://example.org/api', '/', '', 'https://example.org/api'],
  ['https://example.org/api/', '', '', 'https://example.org/api'],
  ['https://example.org/api///', '/foo', '', 'https://example.org/api/foo'],
  ['https://example.org', '', '', 'https://example.org/'],
  ['https://example.org/', '/', '', 'https://example.org/'],
  ['https://example.org', '/foo', '', 'https://example.org/foo'],
  ['https://example.org', '', 'a=1', 'https://example.org/?a=1'],
  ['https://example.org:8443/api', '/x', '', 'https://example.org:8443/api/x'],
  ['https://example.org/api', '/foo/', '', 'https://example.org/api/foo/'],
  ['https://example.org/api', '/foo//bar', '', 'https://example.org/api/foo//bar'],
  ['https://example.org/api', '/./foo', '', 'https://example.org/api/./foo'],
  ['https://example.org/api?k=1', '/foo', '', 'https://example.org/api/foo?k=1'],
  ['https://example.org/api?k=1', '', '?a=2&a=1', 'https://example.org/api?k=1&a=2&a=1'],
  ['https://example.org/api/?k=1', '/', 'b', 'https://example.org/api?k=1&b'],
  ['https://example.org/api?', '', 'a=1', 'https://example.org/api?a=1'],
  ['https://example.org/api', '', '?', 'https://example.org/api'],
  ['https://example.org/api', '', '??a', 'https://example.org/api??a'],
  [
    'https://example.org/api',
    '/a%20b%2Fc%zz',
    '?x=%41+%zz&y=[]{}\'"\\^`|<>',
    'https://example.org/api/a%20b%2Fc%zz?x=%41+%zz&y=[]{}\'"\\^`|<>',
  ],
  ['https://example.org/api', '/caf\u00c3\u00a9', '', 'https://example.org/api/caf\u00c3\u00a9'],
  [
    'https://example.org/api',
    '/a:b@c;d=e,f',
    '?u=https://evil.example/../x',
    'https://example.org/api/a:b@c;d=e,f?u=https://evil.example/../x',
  ],
  ['https://example.org/api', '/https://evil.example', '', 'https://example.org/api/https://evil.example'],
  [
    'https://example.org/api',
    '/.hidden/..name/..../...',
    '',
    'https://example.org/api/.hidden/..name/..../...',
  ],
  ['https://example.org/api', '/a..', '', 'https://example.org/api/a..'],
  ['https://example.org/api', '/%252e%252e/x', '', 'https://example.org/api/%252e%252e/x'],
];

const refusals: readonly (readonly [subPath: string, query: string, reason: string])[] = [
  ['foo', '', 'relative'],
  ['@evil.example', '', 'relative'],
  ['.evil.example', '', 'relative'],
  [':8080', '', 'relative'],
  ['//evil.example', '', 'double-slash'],
  ['//', '', 'double-slash'],
  ['/\\evil.example', '', 'backslash'],
  ['/a\\..\\b', '', 'backslash'],
  ['/..', '', 'dot-segment'],
  ['/../', '', 'dot-segment'],
  ['/a/../../b', '', 'dot-segment'],
  ['/a/..', '', 'dot-segment'],
  ['/%2e%2e/b', '', 'dot-segment'],
  ['/%2E%2e', '', 'dot-segment'],
  ['/.%2e/b', '', 'dot-segment'],
  ['/%2e./b', '', 'dot-segment'],
  ['/..%2fb', '', 'dot-segment'],
  ['/a%2f..%2fb', '', 'dot-segment'],
  ['/a%2F%2e%2E%2Fb', '', 'dot-segment'],
  ['/a%5c..%5cb', '', 'dot-segment'],
  ['/..;/b', '', 'dot-segment'],
  ['/..;x=y/b', '', 'dot-segment'],
  ['/..%00/b', '', 'dot-segment'],
  ['/..%20/b', '', 'dot-segment'],
  ['/a b', '', 'character'],
  ['/a\r\nHost: evil.example', '', 'character'],
  ['/a\u0000', '', 'character'],
  ['/a\u007f', '', 'character'],
  ['/a#b', '', 'character'],
  ['/a?b', '', 'character'],
  ['/a\u0100', '', 'character'],
  ['', 'a b', 'character'],
  ['', 'a#b', 'character'],
  ['', 'a\r\nX: y', 'character'],
  ['', '\u2028', 'character'],
];

/** The directory that a server may think a path is in: encoded dots and separators decoded once, then resolved. */
function asSeenByLenientServer(path: string): string {
  const decoded = path.replaceAll(/%2e/gi, '.').replaceAll(/%(?:2f|5c)/gi, '/');
  return new URL(`https://example.org${decoded}`).pathname;
}

const separators = ['/', '//', '%2f', '%5c', '\\', '?', '#', '@', ':', ';'];
const dots = ['.', '..', '%2e', '%2E', '%25', '%', '%00'];
const pathPieces = fc.constantFrom(...separators, ...dots, 'a', 'é', ' ', '\t');
const hostilePath = fc
  .array(fc.oneof({ weight: 4, arbitrary: pathPieces }, fc.string({ maxLength: 3 })), { maxLength: 12 })
  .map((pieces) => pieces.join(''));

describe('joinDestination', () => {
  for (const [base, subPath, query, expected] of joins) {
    it(`${base} + ${JSON.stringify(subPath)} + ${JSON.stringify(query)} is ${expected}`, () => {
      expect(outcome(base, subPath, query)).to.equal(expected);
    });
  }

  for (const [subPath, query, reason] of refusals) {
    it(`refuses ${JSON.stringify(subPath)} with query ${JSON.stringify(query)}: ${reason}`, () => {
      expect(outcome('https://example.org/api', subPath, query)).to.equal(reason);
      expect(outcome('https://example.org', subPath, query)).to.equal(reason);
    });
  }

  it('takes a parsed URL as well as text', () => {
    const base = new URL('https://example.org/api');
    expect(joinDestination(base, '/x', '')).to.deep.equal({
      ok: true,
      origin: 'https://example.org',
      path: '/api/x',
    });
    expect(base.href).to.equal('https://example.org/api');
  });

  it('never leaves the origin or the path of its base, however a server decodes it', () => {
    const bases = fc.constantFrom(
      'https://example.org',
      'https://example.org/',
      'https://example.org/api/v1',
      'https://example.org/api/v1/?k=1',
    );
    fc.assert(
      fc.property(bases, hostilePath, hostilePath, (base, tail, query) => {
        const joined = joinDestination(base, `/${tail}`, query);
        if (!joined.ok) return;
        const prefix = new URL(base).pathname.replace(/\/+$/, '');
        const [path = ''] = joined.path.split('?');
        expect(joined.origin).to.equal('https://example.org');
        expect(`${path}/`.startsWith(`${prefix}/`)).to.equal(true);
        expect(new URL(joined.origin + joined.path).origin).to.equal('https://example.org');
        for (const seen of [new URL(joined.origin + joined.path).pathname, asSeenByLenientServer(path)]) {
          expect(`${seen}/`.startsWith(`${prefix}/`), seen).to.equal(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('keeps what it accepts byte for byte', () => {
    fc.assert(
      fc.property(hostilePath, hostilePath, (tail, query) => {
        const joined = joinDestination('https://example.org/api?k=1', `/x${tail}`, query);
        const added = query.startsWith('?') ? query.slice(1) : query;
        if (joined.ok) expect(joined.path).to.equal(`/api/x${tail}?k=1${added === '' ? '' : `&${added}`}`);
      }),
      { numRuns: 2_000 },
    );
  });
});
