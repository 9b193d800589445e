import { expect } from 'chai';

import type { Exchange } from './exchange.ts';
import { type Handler, address, createRouter } from './router.ts';

type Seen = string[];

const noting =
  (name: string): Handler<Seen> =>
  (_exchange, seen, ...ids) =>
    void seen.push([name, ...ids].join(' ').trim());

describe('the router', () => {
  const addresses = [
    address<Seen>('/things/search', { POST: noting('search') }),
    address<Seen>('/things/{id}', { GET: noting('get'), DELETE: noting('delete') }),
    address<Seen>('/things/{id}/parts/{part_id}', { PUT: noting('put') }),
  ];

  /** What handles a request, or the code of its refusal and the methods that are allowed. */
  function route(method: string, path: string): string {
    const seen: string[] = [];
    const response = { setHeader: (_name: string, allowed: string) => seen.push(allowed) };
    const exchange = { request: { method }, response, headers: {} } as unknown as Exchange;
    try {
      void createRouter(addresses, seen)(method, path).handle(exchange);
    } catch (error) {
      seen.push((error as { code: string }).code);
    }
    return seen.join(' ');
  }

  it('finds a handler by path and method, with the ids as they were sent, with or without a slash', () => {
    expect(route('GET', '/things/a%2Fb')).to.equal('get a%2Fb');
    expect(route('PUT', '/things/a/parts/b/')).to.equal('put a b');
  });

  it('takes a word for an id where the address of the word has no such method', () => {
    expect(route('POST', '/things/search')).to.equal('search');
    expect(route('GET', '/things/search')).to.equal('get search');
  });

  it('refuses a method with those that the address has, and an unknown address', () => {
    expect(route('PUT', '/things/search')).to.equal('GET, DELETE method_not_allowed');
    expect(route('constructor', '/things/a')).to.equal('GET, DELETE method_not_allowed');
    expect(route('GET', '/things')).to.equal('not_found');
    expect(route('GET', '/things/a/parts/b/c')).to.equal('not_found');
  });
});
