import { expect } from 'chai';

import { originHeaders } from './answer-headers.ts';
import type { AllowedOrigins } from './exchange.ts';
import { noServiceHeaders } from './headers/service-headers.ts';

const shop = 'https://shop.example.org';
const exposed = ['Access-Control-Expose-Headers', '*'];

describe('what a page of another origin hears', () => {
  const hears = (origin: string | undefined, origins: AllowedOrigins, others: readonly string[] = []) =>
    originHeaders({ headers: { ...noServiceHeaders(), origin }, origins }, others);

  it('is nothing for a client that is no browser, where any page may read', () => {
    expect(hears(undefined, '*')).to.deep.equal([]);
  });

  it('is that any page may read the answer, and all of its headers', () => {
    expect(hears(shop, '*')).to.deep.equal(['Access-Control-Allow-Origin', '*', ...exposed]);
    expect(hears('null', '*')).to.deep.equal(['Access-Control-Allow-Origin', '*', ...exposed]);
  });

  it('is that it may where only some pages may, and caches hear that it depends', () => {
    const some = new Set([shop]);
    const allowed = ['Access-Control-Allow-Origin', shop, ...exposed, 'Vary', 'Origin'];
    expect(hears(shop, some)).to.deep.equal(allowed);
    expect(hears('https://other.example.org', some)).to.deep.equal(['Vary', 'Origin']);
    expect(hears(shop, new Set())).to.deep.equal(['Vary', 'Origin']);
    expect(hears(undefined, some)).to.deep.equal(['Vary', 'Origin']);
  });

  it('is what a destination says of its own answer, if it does', () => {
    expect(hears(shop, '*', ['X-A', '1', 'access-control-allow-origin', shop])).to.deep.equal([]);
  });
});
