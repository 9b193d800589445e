import { isIPv6 } from 'node:net';

/** Addresses that no request may be sent to, by what they are. */
export const forbidden: Readonly<Record<string, readonly string[]>> = {
  'this machine': ['127.0.0.1', '127.0.0.3', '127.1.2.3', '127.255.255.254', '::1'],
  'private networks': [
    ...['10.0.0.1', '10.255.255.254', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.255.254'],
    ...['fc00::1', 'fd12:3456::1', 'fdff:ffff::1', 'fec0::1'],
  ],
  'link-local': ['169.254.0.1', '169.254.255.254', 'fe80::1', 'febf::1'],
  'metadata services': [
    ...['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
  ],
  'shared and unspecified': ['100.64.0.1', '100.127.255.254', '0.0.0.0', '0.1.2.3', '255.255.255.255', '::'],
  reserved: [
    ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1'],
    ...['100::1', '2001:db8::1', '3fff::1', '5f00::1'],
  ],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'IPv4 within IPv6': [
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8', '::127.0.0.1'],
    ...['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1'],
    ...['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001:0:5ef5:79fd::1', '2001::1'],
  ],
};

/** A URL that must be refused, and the kind of trick that it is. */
export interface Vector {
  readonly kind: string;
  readonly url: string;
}

/** URLs that are refused for what they say, before anything is resolved. @param port one at which this machine listens */
export function spelledVectors(port: number): Vector[] {
  const literals = Object.values(forbidden)
    .flat()
    .map((address) => ({ kind: 'literals of every range', url: `https://${hostOf(address)}:${port}/` }));
  const disguised = ['127.0.0.1', '169.254.169.254', '10.0.0.1', '192.168.0.1'].flatMap((address) =>
    Object.entries(disguises(address)).map(([kind, host]) => ({ kind, url: `https://${host}:${port}/` })),
  );
  const rest = Object.entries(others(port)).flatMap(([kind, urls]) => urls.map((url) => ({ kind, url })));
  return [...literals, ...disguised, ...rest];
}

const hostOf = (address: string) => (isIPv6(address) ? `[${address}]` : address);

/** What programs read as the same IPv4 address. */
function disguises(address: string): Readonly<Record<string, string>> {
  const parts = address.split('.').map(Number) as [number, number, number, number];
  const whole = Buffer.from(parts).readUInt32BE();
  const map = (of: (part: number) => string) => parts.map(of).join('.');
  const [a, b, c, d] = parts;
  const digits = (first: number) =>
    [...address].map((one) => (one === '.' ? one : String.fromCodePoint(first + Number(one)))).join('');
  const hex = (value: number) => value.toString(16).padStart(4, '0');
  return {
    decimal: String(whole),
    hexadecimal: `0x${whole.toString(16).padStart(8, '0')}`,
    'octal as one number': `0${whole.toString(8)}`,
    'hexadecimal parts': map((part) => `0x${part.toString(16)}`),
    'octal parts': map((part) => `0${part.toString(8).padStart(3, '0')}`),
    'mixed parts': `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
    'fewer parts': `${a}.${b}.${c * 256 + d}`,
    'two parts': `${a}.${b * 65_536 + c * 256 + d}`,
    'a final dot': `${address}.`,
    'full-width digits': digits(0xff10),
    'mathematical digits': digits(0x1d7ce),
    'ideographic full stops': address.replaceAll('.', '。'),
    'percent-encoded': [...address].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
    'a soft hyphen': `${address}\u00ad`,
    'mapped, in hexadecimal': `[::ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
    'mapped, in full': `[0000:0000:0000:0000:0000:ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
    'a user before it': `api.example.com@${address}`,
    'a user and a password before it': `api.example.com:443@${address}`,
    'a backslash before it': `api.example.com\\@${address}`,
    'a zone behind it': `[::ffff:${address}%25eth0]`,
  };
}

function others(port: number): Readonly<Record<string, readonly string[]>> {
  const to = (...hosts: readonly string[]) => hosts.map((host) => `https://${host}:${port}/`);
  return {
    'names of this machine': to(
      ...[
        'localhost',
        'LOCALHOST',
        'LocalHost',
        'localhost.',
        'a.localhost',
        'a.b.localhost.',
        '%6cocalhost',
      ],
    ),
    'look-alikes of localhost': to(
      'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
      'ｌｏｃａｌｈｏｓｔ',
      '𝐥𝐨𝐜𝐚𝐥𝐡𝐨𝐬𝐭',
      'locaſhost'.replace('ſ', 'l\u00ad'),
      'ⅼocalhost',
    ),
    'names that cannot be public': to(
      ...['redis', 'postgres', 'ledger.internal', 'metadata.google.internal', 'printer.local', 'nas.lan'],
      ...['router.home.arpa', 'a.localdomain', 'a.test', 'a.onion', 'a.invalid', 'x.svc.cluster.local'],
      ...['LEDGER.INTERNAL', 'ledger.internal.', 'ｌｅｄｇｅｒ.internal', 'ledger。internal'],
    ),
    'other schemes': [
      ...[
        'http',
        'ftp',
        'file',
        'gopher',
        'dict',
        'ws',
        'wss',
        'ldap',
        'javascript',
        'data',
        'unix',
        'jar',
      ].map((scheme) => `${scheme}://api.example.com:${port}/`),
      `HTTP://127.0.0.1:${port}/`,
      `//127.0.0.1:${port}/`,
      `https:/127.0.0.1:${port}/`,
      `https:127.0.0.1:${port}/`,
      `https:\\\\127.0.0.1:${port}/`,
    ],
    'ports that are none': ['0', '65536', '99999', '-1', '+443', '4 43', '443a', '0x1bb', ''].map(
      (text) => `https://api.example.com:${text}/`,
    ),
    'users, fragments and control characters': [
      ...[`https://@127.0.0.1:${port}/`, `https://:@127.0.0.1:${port}/`, `https://a:b@api.example.com/`],
      ...[`https://api.example.com#@127.0.0.1:${port}/`, `https://127.0.0.1:${port}#.example.com/`],
      ...[`https://127.0.0.1\t:${port}/`, `https://127.0.\n0.1:${port}/`, ` https://127.0.0.1:${port}/`],
      ...[`https://127.0.0.1:${port}/\u0000`, `https://api.example.com\u0000.127.0.0.1:${port}/`],
    ],
    'zones and broken literals': to(
      ...[
        '[fe80::1%25eth0]',
        '[fe80::1%eth0]',
        '[::1%25lo]',
        '[::1',
        '::1',
        '[::1]]',
        '[[::1]]',
        '[127.0.0.1]',
      ],
      ...['[v1.fe80::a]', '[0:0:0:0:0:0:0:0:1]', '256.256.256.256', '127.0.0.1.1', '1.2.3.4.5', '0x7g.1'],
    ),
    'hosts that are none': to(
      ...[
        'a..example.com',
        '.example.com',
        '-a.example.com',
        'a_-.example.com',
        `${'a'.repeat(64)}.example.com`,
      ],
      ...['exa mple.com', 'exa%20mple.com', 'exa%2fmple.com', 'a*.example.com', 'api.example.com.', ''],
    ),
  };
}

/** What a name server may answer for a name of the attacker's, so that nothing may be dialled. */
export function resolvedVectors(): { readonly kind: string; readonly records: readonly string[] }[] {
  const alone = Object.entries(forbidden).flatMap(([kind, addresses]) =>
    addresses.map((address) => ({ kind: `a name of ${kind}`, records: [address] })),
  );
  const mixed = [
    ['10.0.0.1', '169.254.169.254'],
    ['127.0.0.1', '::1'],
    ['::ffff:127.0.0.1', '10.0.0.1', '64:ff9b::7f00:1'],
    ['fe80::1', '192.168.0.1'],
    ['0.0.0.0', '::'],
  ].map((records) => ({ kind: 'several addresses, none of them public', records }));
  const aliases = ['loopback', 'metadata', 'private'].map((name) => ({
    kind: 'an alias (CNAME) of a forbidden name',
    records: [`${name}.alias.example`],
  }));
  return [...alone, ...mixed, ...aliases];
}
