import { expect } from 'chai';

import { compileHosts, covers, placeOf, withPort } from './host-set.ts';

describe('covers', () => {
  const hosts = compileHosts(['api.stripe.com', '*.adyen.com', 'pay.example:8443', '*.eu.example:8443']);

  const inside = [
    'api.stripe.com:443',
    'checkout.adyen.com:443',
    'a.b.adyen.com:443',
    '*.adyen.com:443',
    '*.live.adyen.com:443',
    'pay.example:8443',
    'a.eu.example:8443',
  ];
  for (const place of inside) it(`includes ${place}`, () => expect(covers(hosts, place)).to.equal(true));

  const outside = [
    'api.stripe.com:80',
    'api.stripe.com:8443',
    'x.api.stripe.com:443',
    'evilapi.stripe.com:443',
    '*.stripe.com:443',
    'adyen.com:443',
    'eviladyen.com:443',
    'adyen.com.evil.example:443',
    'checkout.adyen.com:4430',
    '*.adyen.com:8443',
    '*.com:443',
    'pay.example:443',
    'a.eu.example:443',
    '',
  ];
  for (const place of outside)
    it(`leaves out ${JSON.stringify(place)}`, () => expect(covers(hosts, place)).to.equal(false));

  it('includes nothing when it is empty', () => {
    expect(covers(compileHosts([]), 'api.stripe.com:443')).to.equal(false);
  });
});

describe('a place', () => {
  for (const [url, place] of [
    ['https://API.stripe.com/v1?x=1', 'api.stripe.com:443'],
    ['https://bücher.example', 'xn--bcher-kva.example:443'],
    ['https://api.stripe.com:8443/', 'api.stripe.com:8443'],
    ['http://localhost/', 'localhost:80'],
    ['http://[::1]:4000/', '[::1]:4000'],
  ] as const) {
    it(`of ${url} is ${place}`, () => expect(placeOf(new URL(url))).to.equal(place));
  }

  it('of a pattern has its port', () => {
    expect(['a.example', '*.a.example:8443'].map(withPort)).to.deep.equal([
      'a.example:443',
      '*.a.example:8443',
    ]);
  });
});
