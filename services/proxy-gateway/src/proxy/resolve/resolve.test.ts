import { expect } from 'chai';
import fc from 'fast-check';

import { parseRequestTarget } from '../../http/exchange.ts';
import { parseProxyTarget } from './resolve.ts';

const parse = (url: string) => parseProxyTarget(parseRequestTarget(url), true);

describe('the target of a proxy invocation', () => {
  for (const [url, subPath, query, proxyKey] of [
    ['/proxy', '', '', undefined],
    ['/proxy/', '/', '', undefined],
    ['/proxy/a/b?x=1', '/a/b', 'x=1', undefined],
    ['/proxy?svc-proxy-key=k', '', '', 'k'],
    ['/proxy?a=1&svc-proxy-key=k&b=2', '', 'a=1&b=2', 'k'],
    ['/proxy?bt-proxy-key=k%2B1', '', '', 'k+1'],
    ['/proxy?svc%2dproxy%2dkey=k&a', '', 'a', 'k'],
    ['/proxy?svc-proxy-key', '', '', ''],
    ['/proxy?a=svc-proxy-key', '', 'a=svc-proxy-key', undefined],
    ['/proxy?%zz=1', '', '%zz=1', undefined],
    ['http://edge.example/proxy/a?b', '/a', 'b', undefined],
  ] as const) {
    it(`${url} is ${JSON.stringify([subPath, query, proxyKey ?? null])}`, () => {
      expect(parse(url)).to.deep.equal({ subPath, query, proxyKey });
    });
  }

  it('is refused when it names two different proxies', () => {
    expect(() => parse('/proxy?svc-proxy-key=a&bt-proxy-key=b')).to.throw(/sent twice/);
    expect(parse('/proxy?svc-proxy-key=a&bt-proxy-key=a').proxyKey).to.equal('a');
  });

  it('never passes the key on, whatever is around it', () => {
    const parameter = fc.stringMatching(/^[a-z%=0-9-]{0,12}$/);
    fc.assert(
      fc.property(fc.array(parameter), fc.array(parameter), (before, after) => {
        const others = [...before, ...after].filter((text) => !/proxy-key/.test(decode(text)));
        const query = [
          ...others.slice(0, before.length),
          'svc-proxy-key=SECRET',
          ...others.slice(before.length),
        ].join('&');
        expect(parse(`/proxy?${query}`).query).to.not.contain('SECRET');
        expect(parse(`/proxy?${query}`).query).to.equal(others.join('&'));
      }),
    );
  });
});

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
