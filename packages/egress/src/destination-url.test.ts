import { expect } from 'chai';
import fc from 'fast-check';

import { destinationRefusalText, parseDestination } from './destination-url.ts';
import { createEgressPolicy, defaultUrlLength } from './egress-policy.ts';

const strict = createEgressPolicy({ profile: 'strict' });
const development = createEgressPolicy({ profile: 'development' });

/** The normalised URL, or the reason of refusal. */
function outcome(text: string, policy = strict): string {
  const parsed = parseDestination(text, policy);
  return parsed.ok ? parsed.url.href : parsed.reason;
}

const longest = `https://example.com/${'a'.repeat(defaultUrlLength - 20)}`;

const strictTable: readonly (readonly [string, string])[] = [
  ['https://example.com', 'https://example.com/'],
  ['https://example.com/api/?a=1&b', 'https://example.com/api/?a=1&b'],
  ['https://example.com:8443/x', 'https://example.com:8443/x'],
  ['https://example.com:443', 'https://example.com/'],
  ['https://EXAMPLE.com/Path', 'https://example.com/Path'],
  ['https://a_b.example.com', 'https://a_b.example.com/'],
  ['https://müller.example', 'https://xn--mller-kva.example/'],
  ['https://😀.example', 'https://xn--e28h.example/'],
  ['https://example.com/a/../b', 'https://example.com/b'],
  ['https://1.example.com', 'https://1.example.com/'],
  [longest, longest],
  ['', 'length'],
  [`${longest}a`, 'length'],
  ['http://example.com', 'scheme'],
  ['HTTPS://example.com', 'scheme'],
  ['ftp://example.com', 'scheme'],
  ['ssh://example.com', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['//example.com', 'scheme'],
  ['example.com', 'scheme'],
  ['https:example.com', 'scheme'],
  ['https:/example.com', 'scheme'],
  ['https://', 'malformed'],
  ['https:///example.com', 'malformed'],
  ['https://?x', 'malformed'],
  [' https://example.com', 'character'],
  ['https://example.com ', 'character'],
  ['https://exam\tple.com', 'character'],
  ['https://example.com\r\nX: y', 'character'],
  ['https://example.com/\u0000', 'character'],
  ['https://example.com/\u007f', 'character'],
  ['https://example.com/\u00a0', 'character'],
  ['https://example.com/\u2028', 'character'],
  ['https://example.com/\ud800', 'character'],
  ['https://example.com\\@evil.example', 'character'],
  ['https:\\\\example.com', 'character'],
  ['https://user@example.com', 'credentials'],
  ['https://user:password@example.com', 'credentials'],
  ['https://@example.com', 'credentials'],
  ['https://:@example.com', 'credentials'],
  ['https://example.com/#a', 'fragment'],
  ['https://example.com#', 'fragment'],
  ['https://example.com:0', 'port'],
  ['https://example.com:00443', 'port'],
  ['https://example.com:007', 'port'],
  ['https://example.com:65536', 'port'],
  ['https://example.com:99999999999', 'port'],
  ['https://example.com:-1', 'port'],
  ['https://example.com:+1', 'port'],
  ['https://example.com:', 'port'],
  ['https://example.com:abc', 'port'],
  ['https://example.com:80:80', 'port'],
  ['https://[2001:4860:4860::8888]:0', 'port'],
  ['https://example.com:65535', 'https://example.com:65535/'],
  ['https://example.com:1', 'https://example.com:1/'],
  ['https://127.0.0.1', 'ip-literal'],
  ['https://8.8.8.8', 'ip-literal'],
  ['https://8.8.8.8.', 'ip-literal'],
  ['https://127.1', 'ip-literal'],
  ['https://2130706433', 'ip-literal'],
  ['https://0x7f000001', 'ip-literal'],
  ['https://0177.0.0.1', 'ip-literal'],
  ['https://0x7f.1', 'ip-literal'],
  ['https://１２７.0.0.1', 'ip-literal'],
  ['https://%31%32%37.0.0.1', 'ip-literal'],
  ['https://127。0。0。1', 'ip-literal'],
  ['https://[::1]', 'ip-literal'],
  ['https://[::ffff:127.0.0.1]', 'ip-literal'],
  ['https://[2001:4860:4860::8888]:8443/x', 'ip-literal'],
  ['https://[[::1]]', 'malformed'],
  ['https://[::1', 'port'],
  ['https://[::1%25eth0]', 'malformed'],
  ['https://1.2.3.256', 'malformed'],
  ['https://1.2.3.4.5', 'malformed'],
  ['https://example.1', 'malformed'],
  ['https://exa%00mple.com', 'malformed'],
  ['https://exa%2fmple.com', 'malformed'],
  ['https://example.com.', 'host'],
  ['https://example..com', 'host'],
  ['https://.example.com', 'host'],
  ['https://-example.com', 'host'],
  ['https://exam!ple.com', 'host'],
  [`https://${'a'.repeat(64)}.example`, 'host'],
  [`https://${'a.'.repeat(130)}example`, 'host'],
  ['https://redis:6379', 'private-name'],
  ['http://redis:6379', 'private-name'],
  ['https://REDIS', 'private-name'],
  ['https://ｒｅｄｉｓ', 'private-name'],
  ['https://xn--mller-kva', 'private-name'],
  ['https://redis./', 'private-name'],
  ['https://ledger.Internal/x', 'private-name'],
  ['http://ledger.internal', 'private-name'],
  ['https://ledger.internal.', 'private-name'],
  ['https://ledger。internal', 'private-name'],
  ['https://ledger.%69nternal', 'private-name'],
  ...['local', 'localdomain', 'home.arpa', 'lan', 'test', 'invalid', 'onion'].map(
    (suffix) => [`https://a.b.${suffix}:8443/x`, 'private-name'] as const,
  ),
  ['https://home.arpa', 'private-name'],
  ['https://internal.example.com', 'https://internal.example.com/'],
  ['https://xinternal.com', 'https://xinternal.com/'],
  ['https://arpa.com', 'https://arpa.com/'],
  ['https://1.0.0.10.in-addr.arpa', 'https://1.0.0.10.in-addr.arpa/'],
  ['https://host.corp', 'https://host.corp/'],
  ['https://localhost', 'local-name'],
  ['https://LOCALHOST:8443/', 'local-name'],
  ['https://localhost./', 'local-name'],
  ['https://api.localhost', 'local-name'],
];

const developmentTable: readonly (readonly [string, string])[] = [
  ['https://example.com', 'https://example.com/'],
  ['http://localhost:3000/x', 'http://localhost:3000/x'],
  ['http://redis:6379', 'private-name'],
  ['https://ledger.internal', 'private-name'],
  ['https://ledger.lan', 'private-name'],
  ['http://LOCALHOST:3000', 'http://localhost:3000/'],
  ['https://localhost', 'https://localhost/'],
  ['http://api.localhost:1', 'http://api.localhost:1/'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/'],
  ['http://127.1:3000', 'http://127.0.0.1:3000/'],
  ['http://[::1]:3000/', 'http://[::1]:3000/'],
  ['http://example.com', 'scheme'],
  ['http://localhost.example.com', 'scheme'],
  ['http://10.0.0.1', 'scheme'],
  ['https://10.0.0.1', 'ip-literal'],
  ['http://169.254.169.254/latest/meta-data', 'scheme'],
  ['https://[fd00:ec2::254]', 'ip-literal'],
  ['http://0.0.0.0:3000', 'scheme'],
  ['http://[::ffff:127.0.0.1]', 'scheme'],
  ['http://user@localhost', 'credentials'],
  ['http://localhost:0', 'port'],
  ['http://localhost./', 'host'],
  ['ftp://localhost', 'scheme'],
  ['http:///localhost', 'malformed'],
];

describe('parseDestination', () => {
  for (const [text, expected] of strictTable) {
    it(`strict: ${JSON.stringify(text.slice(0, 60))} gives ${expected.slice(0, 60)}`, () => {
      expect(outcome(text)).to.equal(expected);
    });
  }

  for (const [text, expected] of developmentTable) {
    it(`development: ${JSON.stringify(text)} gives ${expected}`, () => {
      expect(outcome(text, development)).to.equal(expected);
    });
  }

  it('takes names that cannot be public where the operator allows them, and says how that is done', () => {
    const allowHosts = ['redis', '*.internal', 'ledger.corp.lan'];
    const policy = createEgressPolicy({ profile: 'strict', allowHosts });
    expect(outcome('https://redis:6379/', policy)).to.equal('https://redis:6379/');
    expect(outcome('https://a.b.internal', policy)).to.equal('https://a.b.internal/');
    expect(outcome('https://LEDGER.corp.lan', policy)).to.equal('https://ledger.corp.lan/');
    expect(outcome('http://redis:6379/', policy)).to.equal('scheme');
    for (const other of [
      'https://redis2',
      'https://internal',
      'https://x.ledger.corp.lan',
      'https://a.local',
    ]) {
      expect(outcome(other, policy), other).to.equal('private-name');
    }
    const text = destinationRefusalText('private-name', policy);
    for (const word of ['one label', '.internal', '.home.arpa', 'EGRESS_ALLOW_HOSTS']) {
      expect(text).to.contain(word);
    }
  });

  it('takes URLs as long as the policy says, and names that length', () => {
    const policy = createEgressPolicy({ profile: 'strict', urlLength: 25 });
    expect(outcome('https://example.com/abcde', policy)).to.equal('https://example.com/abcde');
    expect(outcome('https://example.com/abcdef', policy)).to.equal('length');
    expect(destinationRefusalText('length', policy)).to.equal('must be 1 to 25 characters long');
  });

  it('never throws, and what it lets pass under strict is https to a name without credentials or fragment', () => {
    const pieces = [
      'https://',
      'http://',
      '@',
      ':',
      '/',
      '\\',
      '#',
      '?',
      '[',
      ']',
      '.',
      '127',
      '0x7f',
      '::1',
      'a',
      'é',
      '%2e',
      '%00',
      '\t',
    ];
    const hostile = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4, unit: 'binary' })))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, fc.boolean(), (rest, prefixed) => {
        const parsed = parseDestination(prefixed ? `https://${rest}` : rest, strict);
        if (!parsed.ok) return destinationRefusalText(parsed.reason, strict).length > 0;
        const { protocol, username, password, hash, hostname, port } = parsed.url;
        return (
          protocol === 'https:' &&
          username + password + hash === '' &&
          /^[a-z0-9_.-]*[a-z_-][a-z0-9_-]*$/.test(hostname) &&
          port !== '0'
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
