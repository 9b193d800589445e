import { expect } from 'chai';

import { pathOf, routeOf } from './route-table.ts';

describe('route table', () => {
  const gateway = `
    /proxy /proxy/ /proxy/a/b?c=/d /proxy?svc-proxy-key=k /proxy/../proxies /proxy//
    /tokens /tokens/ /tokens?page=1 /tokens/a%2Fb /tokens/search /tokens/p/children/c
    /v2/tokens /v2/tokens/search /tokenize /tokenize/ /detokenize /token-intents/1
    /reactors/1/react /reactors/1/react/ /reactors/1/react-async /reactors/1/results/2
    /reactors/1/invocations /reactors/1/invocations?size=5 /proxies/1/invocations /proxies/1/invocations/
    /sessions /sessions/ /sessions/authorize http://some.where/proxy/a`;
  const control = `
    / /proxies /proxies/ /proxies/1 /proxies//invocations /reactors /reactors/1 /reactors//react
    /reactor-formulas /applications/key /tenants/self /permissions /logs /tokensearch
    /proxying /Tokens //proxy /%70roxy /v2 * http://some.where /x?/proxy`;

  for (const target of gateway.trim().split(/\s+/)) {
    it(`sends ${target} to the gateway`, () => expect(routeOf(target).upstream).to.equal('proxy-gateway'));
  }
  for (const target of control.trim().split(/\s+/)) {
    it(`sends ${target} to control-api`, () => expect(routeOf(target).upstream).to.equal('control-api'));
  }

  it('reads the path from every form of a request target', () => {
    expect(['/a/b?c', 'http://h:1/a?b', 'HTTPS://h', 'http://h?x', '?x'].map(pathOf)).to.deep.equal([
      '/a/b',
      '/a',
      '/',
      '/',
      '/',
    ]);
  });
});
