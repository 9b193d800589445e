import { expect } from 'chai';

import { type AddressVerdict, classifyAddress } from './address-policy.ts';

const vectors: readonly (readonly [string, AddressVerdict])[] = [
  ['8.8.8.8', 'allow-public'],
  ['1.1.1.1', 'allow-public'],
  ['2001:4860:4860::8888', 'allow-public'],
  ['64:ff9c::1', 'allow-public'],
  ['127.0.0.1', 'deny-loopback'],
  ['127.0.0.0', 'deny-loopback'],
  ['127.255.255.255', 'deny-loopback'],
  ['126.255.255.255', 'allow-public'],
  ['128.0.0.1', 'allow-public'],
  ['::1', 'deny-loopback'],
  ['0:0:0:0:0:0:0:1', 'deny-loopback'],
  ['10.0.0.0', 'deny-private'],
  ['10.255.255.255', 'deny-private'],
  ['11.0.0.0', 'allow-public'],
  ['172.15.255.255', 'allow-public'],
  ['172.16.0.0', 'deny-private'],
  ['172.31.255.255', 'deny-private'],
  ['172.32.0.0', 'allow-public'],
  ['192.167.255.255', 'allow-public'],
  ['192.168.0.1', 'deny-private'],
  ['192.168.255.255', 'deny-private'],
  ['192.169.0.0', 'allow-public'],
  ['fc00::1', 'deny-private'],
  ['fdff:ffff::1', 'deny-private'],
  ['fec0::1', 'deny-private'],
  ['169.254.0.1', 'deny-link-local'],
  ['169.253.255.255', 'allow-public'],
  ['169.255.0.0', 'allow-public'],
  ['fe80::1', 'deny-link-local'],
  ['fe80::1%eth0', 'deny-link-local'],
  ['169.254.169.254', 'deny-metadata'],
  ['fd00:ec2::254', 'deny-metadata'],
  ['100.100.100.200', 'deny-metadata'],
  ['168.63.129.16', 'deny-metadata'],
  ['192.0.0.192', 'deny-metadata'],
  ['100.63.255.254', 'allow-public'],
  ['100.64.0.1', 'deny-cgnat'],
  ['100.127.255.254', 'deny-cgnat'],
  ['100.128.0.1', 'allow-public'],
  ['224.0.0.1', 'deny-multicast'],
  ['239.255.255.255', 'deny-multicast'],
  ['ff02::2', 'deny-multicast'],
  ['255.255.255.255', 'deny-broadcast'],
  ['0.0.0.0', 'deny-unspecified'],
  ['0.1.2.3', 'deny-unspecified'],
  ['::', 'deny-unspecified'],
  ['::ffff:127.0.0.1', 'deny-v4-mapped'],
  ['::ffff:7f00:1', 'deny-v4-mapped'],
  ['0:0:0:0:0:ffff:a00:1', 'deny-v4-mapped'],
  ['::ffff:8.8.8.8', 'deny-v4-mapped'],
  ['::127.0.0.1', 'deny-v4-compatible'],
  ['::7f00:1', 'deny-v4-compatible'],
  ['::8.8.8.8', 'deny-v4-compatible'],
  ['64:ff9b::127.0.0.1', 'deny-nat64'],
  ['64:ff9b::8.8.8.8', 'deny-nat64'],
  ['64:ff9b:1::1', 'deny-nat64'],
  ['2002:7f00:1::', 'deny-6to4'],
  ['2002:808:808::1', 'deny-6to4'],
  ['2001::1', 'deny-teredo'],
  ['2001:0:5ef5:79fd::1', 'deny-teredo'],
  ['::ffff:0:127.0.0.1', 'deny-reserved'],
  ['192.0.0.1', 'deny-reserved'],
  ['192.0.2.1', 'deny-reserved'],
  ['192.88.99.1', 'deny-reserved'],
  ['198.18.0.1', 'deny-reserved'],
  ['198.51.100.1', 'deny-reserved'],
  ['203.0.113.1', 'deny-reserved'],
  ['240.0.0.1', 'deny-reserved'],
  ['100::1', 'deny-reserved'],
  ['2001:db8::1', 'deny-reserved'],
  ['3fff::1', 'deny-reserved'],
  ['5f00::1', 'deny-reserved'],
];

const dotted = [
  '127.1',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '08.8.8.8',
  '１２７.0.0.1',
];
const dressed = ['127.0.0.1 ', '127.0.0.1\n', '127.0.0.1:80', '8.8.8.8/8', '[::1]', '::1::'];
const unparseable = ['', ' ', 'localhost', '2130706433', ...dotted, ...dressed];

describe('classifyAddress', () => {
  for (const [ip, verdict] of vectors) {
    it(`${ip} is ${verdict}`, () => {
      expect(classifyAddress(ip)).to.equal(verdict);
    });
  }

  for (const ip of unparseable) {
    it(`denies ${JSON.stringify(ip)}, which is no address as DNS or a socket spells it`, () => {
      expect(classifyAddress(ip)).to.equal('deny-unparseable');
    });
  }

  it('judges every spelling of an IPv6 address alike', () => {
    for (const ip of ['::1', '0::1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0.0.0.1', '0:0::0:1']) {
      expect(classifyAddress(ip), ip).to.equal('deny-loopback');
    }
  });
});
