import { expect } from 'chai';

import type { TokenFilter } from '../store/token-filter.ts';
import { parseQuery } from './parse-query.ts';
import { type SearchQuery, SearchQueryError } from './query.ts';
import { filterOf } from './to-filter.ts';

const hashOf = (value: string) => Buffer.from(`hash of ${value}`);
const hashesOf = (value: string) => [hashOf(value)];
const read = (text: string, containersCover = false): TokenFilter =>
  filterOf(parseQuery(text, 200) as SearchQuery, { hashesOf, containersCover });

const at = (text: string) => new Date(text);
const exactly = (text: string) => ({ at: at(text), inclusive: true });
const before = (text: string) => ({ at: at(text), inclusive: false });

const rows: readonly (readonly [query: string, filter: TokenFilter])[] = [
  ['id:x', { kind: 'id', values: ['x'] }],
  ['type:card', { kind: 'type', values: ['card'] }],
  ['fingerprint:x', { kind: 'fingerprint', values: ['x'] }],
  ['created_by:x', { kind: 'created_by', values: ['x'] }],
  ['modified_by:x', { kind: 'modified_by', values: ['x'] }],
  ['data:"6789"', { kind: 'search_hash', hash: hashOf('6789') }],
  ['metadata.Customer.Id:x', { kind: 'metadata', name: 'Customer.Id', value: 'x' }],
  ['container:/PCI/High/', { kind: 'container', value: '/pci/high/' }],
  ['container:"/pci/*"', { kind: 'container_prefix', value: '/pci/' }],
  ['container:/*', { kind: 'container_prefix', value: '/' }],
  ['NOT type:card', { kind: 'not', of: { kind: 'type', values: ['card'] } }],
  [
    'created_at:[2022-01-01 TO 2022-01-31]',
    { kind: 'created_at', from: exactly('2022-01-01'), to: before('2022-02-01') },
  ],
  [
    'modified_at:{2022-01-01 TO 2022-01-31}',
    { kind: 'modified_at', from: exactly('2022-01-02'), to: before('2022-01-31') },
  ],
  [
    'created_at:{2022-01-01T10:00:00Z TO 2022-01-01T12:00:00+01:00]',
    { kind: 'created_at', from: before('2022-01-01T10:00:00Z'), to: exactly('2022-01-01T11:00:00Z') },
  ],
  ['created_at:[* TO *]', { kind: 'created_at', from: undefined, to: undefined }],
  ['created_at:2022-01-01', { kind: 'created_at', from: exactly('2022-01-01'), to: before('2022-01-02') }],
  [
    'created_at:"2022-01-01T10:00:00Z"',
    { kind: 'created_at', from: exactly('2022-01-01T10:00:00Z'), to: exactly('2022-01-01T10:00:00Z') },
  ],
];

const wrong: readonly (readonly [query: string, message: RegExp])[] = [
  ['name:x', /unknown field; there are id, type/],
  ['metadata:x', /unknown field/],
  ['metadata.:x', /unknown field/],
  ['ID:x', /unknown field/],
  ['type:[a TO b]', /a field that is not a time/],
  ['created_at:yesterday', /ISO 8601/],
  ['created_at:"1/1/2022"', /ISO 8601/],
  ['created_at:[2022-02-30 TO *]', /ISO 8601/],
  ['container:pci', /must be a path/],
  ['container:/pci', /must be a path/],
  ['container:/pci*', /must be a path/],
  ['container:"/a//*"', /must be a path/],
];

describe('what a search query selects', () => {
  for (const [query, filter] of rows) {
    it(`of ${query}`, () => expect(read(query)).to.deep.equal(filter));
  }

  it('by a container covers what is below it where later versions of the API say so', () => {
    expect(read('container:"/pci/"', true)).to.deep.equal({ kind: 'container_prefix', value: '/pci/' });
  });

  for (const [query, message] of wrong) {
    it(`is nothing for ${query}`, () => {
      expect(() => read(query)).to.throw(SearchQueryError, message);
    });
  }
});
