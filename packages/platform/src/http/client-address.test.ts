import type { IncomingMessage } from 'node:http';

import { expect } from 'chai';

import { clientAddress, clientNetwork } from './client-address.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as IncomingMessage;

describe('the address of a client', () => {
  it('is the one that connects: what it says of itself is not believed', () => {
    expect(clientAddress(from('203.0.113.7', '198.51.100.1'), 0)).to.equal('203.0.113.7');
    expect(clientAddress(from('::ffff:203.0.113.7'), 0)).to.equal('203.0.113.7');
  });

  it('is what the first proxy of our own has seen, whatever comes before that', () => {
    expect(clientAddress(from('10.0.0.1', '203.0.113.7'), 1)).to.equal('203.0.113.7');
    expect(clientAddress(from('10.0.0.1', '1.1.1.1, 203.0.113.7'), 1)).to.equal('203.0.113.7');
    expect(clientAddress(from('10.0.0.1', '1.1.1.1, 203.0.113.7, 10.0.0.2'), 2)).to.equal('203.0.113.7');
  });

  it('is the one that connects where the header is missing, too short, or no address', () => {
    for (const header of [undefined, '', 'unknown', '203.0.113.7:80', 'x'.repeat(5000)]) {
      expect(clientAddress(from('10.0.0.1', header), 1)).to.equal('10.0.0.1');
    }
    expect(clientAddress(from('10.0.0.1', '203.0.113.7'), 2)).to.equal('10.0.0.1');
  });

  it('is spelled alike, however it is written', () => {
    for (const address of ['2001:db8:0:1::7', '2001:DB8::1:0:0:0:7', '2001:0db8:0000:0001:0:0:0:0007']) {
      expect(clientAddress(from(address), 0)).to.equal('2001:db8:0:1::7');
    }
    expect(clientAddress(from('fe80::1%eth0'), 0)).to.equal('fe80::1');
  });
});

describe('the network of a client', () => {
  it('is a /64 of IPv6, and an address of IPv4', () => {
    const networkOf = (address: string) => clientNetwork(clientAddress(from(address), 0));
    for (const address of ['2001:db8:0:1::7', '2001:DB8::1:0:0:0:8', '2001:0db8:0000:0001:ffff:0:0:1']) {
      expect(networkOf(address)).to.equal('2001:db8:0:1::/64');
    }
    expect(networkOf('::1')).to.equal('0:0:0:0::/64');
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0::/64');
    expect(networkOf('203.0.113.7')).to.equal('203.0.113.7');
  });
});
