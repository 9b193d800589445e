import { expect } from 'chai';

import { isOwnCookie, withoutOwnCookies } from './own-cookies.ts';

describe('cookies of the service itself', () => {
  for (const text of [
    '__Host-glovebox=1',
    '__Host-glovebox-session=1; Path=/; Secure',
    ' \t__HOST-GLOVEBOX-x=1',
    '=__Host-glovebox-session=1',
    ' = __Host-glovebox-session=1',
    '__Host-glovebox',
  ]) {
    it(`are known however a browser comes to read their name: ${JSON.stringify(text)}`, () => {
      expect(isOwnCookie(text)).to.equal(true);
    });
  }

  for (const text of [
    'a=__Host-glovebox',
    '__Host-other=1',
    '',
    'a=b; c=__Host-glovebox',
    'x__Host-glovebox=1',
  ]) {
    it(`are no others: ${JSON.stringify(text)}`, () => {
      expect(isOwnCookie(text)).to.equal(false);
    });
  }

  it('are taken out of what is sent, and nothing else is touched', () => {
    const others = 'a=1;b="x; y";  c=__host-glovebox';
    expect(withoutOwnCookies(others)).to.equal(others);
    expect(withoutOwnCookies('__Host-glovebox-session=s; a=1; __host-glovebox2=t;b=2')).to.equal('a=1;b=2');
    expect(withoutOwnCookies('__Host-glovebox-session=s')).to.equal(undefined);
    expect(withoutOwnCookies('')).to.equal('');
  });
});
