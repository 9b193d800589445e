import { expect } from 'chai';
import fc from 'fast-check';

import type { TokenFilter } from '../store/token-filter.ts';
import { type ListQuery, readListQuery } from './list-query.ts';
import { startAfter } from './page-request.ts';

function read(query: string, byCursor = false): ListQuery & { problems: string[] } {
  const problems: string[] = [];
  const list = readListQuery(query, byCursor, 100, (path, message) => problems.push(`${path}: ${message}`));
  return { ...list, problems };
}

const filters: readonly (readonly [query: string, ...filters: TokenFilter[]])[] = [
  [''],
  ['id=a&id=b', { kind: 'id', values: ['a', 'b'] }],
  ['id=a%20b', { kind: 'id', values: ['a b'] }],
  ['id='],
  ['type=card&type=bank', { kind: 'type', values: ['card', 'bank'] }],
  ['fingerprint=x', { kind: 'fingerprint', values: ['x'] }],
  ['container=/A/', { kind: 'container_prefix', value: '/a/' }],
  ['metadata.userId=5', { kind: 'metadata', name: 'userId', value: '5' }],
  ['metadata.a=1&metadata.a=2', { kind: 'metadata', name: 'a', value: '1' }],
  ['metadata.a=', { kind: 'metadata', name: 'a', value: '' }],
  [
    `metadata=${encodeURIComponent('{"a":"1","b":"2"}')}&metadata.b=3`,
    { kind: 'metadata', name: 'b', value: '3' },
    { kind: 'metadata', name: 'a', value: '1' },
  ],
  ['unknown=1&Id=x&metadata.=x'],
  [
    'type=card&metadata.a=1&id=x',
    { kind: 'id', values: ['x'] },
    { kind: 'type', values: ['card'] },
    { kind: 'metadata', name: 'a', value: '1' },
  ],
];

const position = { container: '/a/', createdAt: new Date(1_700_000_000_123), id: 'an id "ü" 🔑' };

describe('the query of a list', () => {
  for (const [query, ...of] of filters) {
    it(`${JSON.stringify(query)} filters by ${of.length} things`, () => {
      expect(read(query)).to.deep.include({ filter: { kind: 'and', of }, problems: [] });
    });
  }

  it('names a page by number, with a default and a most', () => {
    const page = (query: string) => read(query).page;
    expect(page('')).to.deep.equal({ kind: 'numbered', number: 1, size: 20 });
    expect(page('page=3&size=5')).to.deep.equal({ kind: 'numbered', number: 3, size: 5 });
    expect(page('page=0&size=0')).to.deep.equal({ kind: 'numbered', number: 1, size: 20 });
    expect(page('page=2147483647&size=100')).to.deep.equal({
      kind: 'numbered',
      number: 2 ** 31 - 1,
      size: 100,
    });
  });

  it('names a page by what a page before has given', () => {
    const start = startAfter(position);
    for (const byCursor of [false, true]) {
      expect(read(`start=${start}&size=7`, byCursor).page).to.deep.equal({
        kind: 'after',
        size: 7,
        after: position,
      });
      expect(read('start=', byCursor).page).to.deep.equal({ kind: 'after', size: 20, after: undefined });
    }
    expect(read('', true).page).to.deep.equal({ kind: 'after', size: 20, after: undefined });
  });

  for (const query of [
    'page=-1',
    'page=1.5',
    'page=x',
    'page=2147483648',
    'page=1e3',
    'size=101',
    'size=-1',
    'size= 5',
  ]) {
    it(`is refused with ${query}`, () => {
      expect(read(query).problems).to.have.length(1);
      expect(read(query).problems[0]).to.match(new RegExp(`^${query.split('=')[0]}: must be a whole number`));
    });
  }

  it('gets every problem at once', () => {
    const { problems } = read('page=x&size=x&start=x&container=x&metadata=x');
    expect(problems.map((problem) => problem.split(':')[0])).to.have.members([
      ...['page', 'size', 'start', 'container', 'metadata'],
    ]);
  });

  it('takes no start that none has given', () => {
    const forged = [
      [1, 'a'],
      ['1', 'a', '/'],
      [1, 2, '/'],
      [1, 'a', null],
      [1e300, 'a', '/'],
      [-1, 'a', '/'],
      [253_402_300_800_000, 'a', '/'],
      [null, 'a', '/'],
      [1, 'a\0', '/'],
      [1, '\ud800', '/'],
      {},
      null,
      5,
    ];
    for (const value of forged) {
      const start = Buffer.from(JSON.stringify(value)).toString('base64url');
      expect(read(`start=${start}`).problems, JSON.stringify(value)).to.have.length(1);
    }
    expect(read(`start=${'A'.repeat(5000)}`).problems).to.have.length(1);
    fc.assert(fc.property(fc.string(), (text) => void read(`start=${encodeURIComponent(text)}`)));
  });

  it('never throws, whatever it is', () => {
    const name = fc.constantFrom(
      'id',
      'type',
      'page',
      'size',
      'start',
      'metadata',
      'metadata.a',
      'container',
      '%',
      '&',
      '=',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (parameters) => {
        read(parameters.map(([key, value]) => `${key}=${value}`).join('&'));
      }),
    );
  });
});
