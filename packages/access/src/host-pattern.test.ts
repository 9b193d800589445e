import { expect } from 'chai';

import { parseHostPattern } from './host-pattern.ts';

const strict = { localhost: false };
const development = { localhost: true };

describe('parseHostPattern', () => {
  const accepted: readonly (readonly [string, string])[] = [
    ['api.stripe.com', 'api.stripe.com'],
    ['API.Stripe.COM', 'api.stripe.com'],
    ['api.stripe.com:443', 'api.stripe.com'],
    ['api.stripe.com:8443', 'api.stripe.com:8443'],
    ['api.stripe.com:80', 'api.stripe.com:80'],
    ['*.adyen.com', '*.adyen.com'],
    ['*.Adyen.com:65535', '*.adyen.com:65535'],
    ['*.live.adyen.com', '*.live.adyen.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.BÜCHER.example', '*.xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['\uFF41pi.stripe\u3002com', 'api.stripe.com'],
    ['a\u00ADpi.stripe.com', 'api.stripe.com'],
    ['ledger.corp.internal', 'ledger.corp.internal'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ];
  for (const [text, pattern] of accepted) {
    it(`stores ${text} as ${pattern}`, () => {
      expect(parseHostPattern(text, strict)).to.deep.equal({ ok: true, pattern });
    });
  }

  const tooMuch = [
    '*',
    '*.com',
    '*.co.uk',
    '*.COM',
    '*.github.io',
    '*.s3.amazonaws.com',
    '*.internal',
    '*.xn--p1ai',
  ];
  for (const text of [...tooMuch, '*.рф', '*.com:8443', '*.localhost']) {
    it(`refuses ${text}, below which anybody may have a host`, () => {
      expect(parseHostPattern(text, development))
        .to.deep.include({ ok: false })
        .and.to.have.property('problem')
        .that.matches(/must not cover/);
    });
  }

  const hostile: readonly string[] = [
    '',
    '.',
    '.com',
    'api.stripe.com.',
    'api..stripe.com',
    '*.',
    '**.example.com',
    '*.*.example.com',
    'a.*.example.com',
    'a*.example.com',
    '*example.com',
    '*:443',
    'https://api.stripe.com',
    'api.stripe.com/',
    'api.stripe.com/v1',
    'api.stripe.com\\v1',
    'api.stripe.com?x',
    'api.stripe.com#x',
    'user@api.stripe.com',
    'api.stripe.com@evil.example',
    'api.stripe.com ',
    ' api.stripe.com',
    'api.stripe.com\n',
    'api.stripe.com\0.evil.example',
    'api%2estripe.com',
    'api\uFF05stripe.com',
    'api\uFF0Fstripe.com',
    'api\uFF20stripe.com',
    'api.stripe.com\uFF1A8443',
    'api.stripe.com:',
    'api.stripe.com:0',
    'api.stripe.com:0443',
    'api.stripe.com:65536',
    'api.stripe.com:99999',
    'api.stripe.com:-1',
    'api.stripe.com:443:443',
    'api.stripe.com:4e2',
    '127.0.0.1',
    '*.127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '\uFF11\uFF12\uFF17.0.0.1',
    '127.0.0.1:8080',
    '[::1]',
    '[::1]:8080',
    '::1',
    'xn--.example.com',
    '-a.example.com',
    'a-.example.com',
    'a!.example.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(126)}aa`,
    'ü'.repeat(100),
    '\uD800.example.com',
    'a'.repeat(100_000),
  ];
  for (const text of hostile) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(parseHostPattern(text, development)).to.have.property('ok', false);
    });
  }

  for (const text of ['localhost', 'localhost:4000', 'echo.localhost:4000', 'LOCALHOST:4000']) {
    it(`takes ${text} in development only`, () => {
      const pattern = text.toLowerCase();
      expect(parseHostPattern(text, development)).to.deep.equal({ ok: true, pattern });
      expect(parseHostPattern(text, strict)).to.deep.equal({ ok: false, problem: 'cannot be this machine' });
    });
  }
});
