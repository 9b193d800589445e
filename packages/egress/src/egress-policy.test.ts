import { expect } from 'chai';

import { checkAddress } from './check-address.ts';
import { checkHost } from './check-host.ts';
import { createEgressPolicy, egressPolicyProblems } from './egress-policy.ts';

const strict = createEgressPolicy({ profile: 'strict' });
const development = createEgressPolicy({ profile: 'development' });

describe('createEgressPolicy', () => {
  it('is plain data that survives a copy', () => {
    const policy = createEgressPolicy({
      profile: 'strict',
      allowCidrs: ['10.1.0.0/16'],
      allowHosts: ['*.corp.example'],
    });
    expect(structuredClone(policy)).to.deep.equal(policy);
    expect(checkAddress(structuredClone(policy), 'a.example', '10.1.2.3')).to.equal(undefined);
  });

  it('names every bad entry of both lists at once and refuses the policy whole', () => {
    const bad = [
      '10.1.0.1/16',
      '10.0.0.0',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      '10/8',
      'corp',
      '010.0.0.0/8',
      '10.0.0.0/8/8',
    ];
    const hosts = [
      'a.*.example',
      '*',
      '*.',
      'UPPER.example',
      '10.0.0.1',
      'localhost',
      'a b',
      'x.example.',
      '',
    ];
    const settings = { profile: 'strict', allowCidrs: bad, allowHosts: hosts } as const;
    expect(egressPolicyProblems(settings)).to.have.lengthOf(bad.length + hosts.length);
    expect(() => createEgressPolicy(settings)).to.throw(RangeError, 'did you mean 10.1.0.0/16');
  });

  it('accepts blocks of both families and hosts with a leading wildcard', () => {
    const allowCidrs = [
      '10.0.0.0/8',
      '192.168.7.0/24',
      '10.1.2.3/32',
      'fd12:3456::/32',
      'fc00::/7',
      '64:ff9b::/96',
    ];
    const allowHosts = ['ledger.corp.example', '*.corp.example', 'intranet', 'xn--mller-kva.example'];
    expect(egressPolicyProblems({ profile: 'strict', allowCidrs, allowHosts })).to.deep.equal([]);
  });
});

describe('checkHost', () => {
  const table = [
    ['https:', 'api.example.com', undefined, undefined],
    ['http:', 'api.example.com', 'scheme', 'scheme'],
    ['ftp:', 'api.example.com', 'scheme', 'scheme'],
    ['ws:', 'localhost', 'scheme', 'scheme'],
    ['https:', 'localhost', 'local-name', undefined],
    ['http:', 'localhost', 'scheme', undefined],
    ['http:', 'localhost.', 'scheme', undefined],
    ['https:', 'a.localhost', 'local-name', undefined],
    ['https:', 'notlocalhost', 'private-name', 'private-name'],
    ['http:', 'redis', 'private-name', 'private-name'],
    ['https:', 'ledger.internal', 'private-name', 'private-name'],
    ['https:', 'ledger.internal..', 'private-name', 'private-name'],
    ['https:', 'LEDGER.LAN', 'private-name', 'private-name'],
    ['https:', 'notlocalhost.example', undefined, undefined],
    ['http:', 'localhost.example.com', 'scheme', 'scheme'],
    ['https:', '127.0.0.1', 'ip-literal', undefined],
    ['http:', '127.0.0.1', 'scheme', undefined],
    ['http:', '::1', 'scheme', undefined],
    ['https:', '8.8.8.8', 'ip-literal', 'ip-literal'],
    ['https:', '2001:4860:4860::8888', 'ip-literal', 'ip-literal'],
    ['http:', '10.0.0.1', 'scheme', 'scheme'],
    ['https:', '10.0.0.1', 'ip-literal', 'ip-literal'],
    ['https:', '169.254.169.254', 'ip-literal', 'ip-literal'],
    ['https:', '0.0.0.0', 'ip-literal', 'ip-literal'],
    ['https:', '::ffff:7f00:1', 'ip-literal', 'ip-literal'],
  ] as const;
  for (const [protocol, hostname, whenStrict, whenDevelopment] of table) {
    it(`${protocol}//${hostname}: strict ${whenStrict ?? 'passes'}, development ${whenDevelopment ?? 'passes'}`, () => {
      expect(checkHost(strict, protocol, hostname)).to.equal(whenStrict);
      expect(checkHost(development, protocol, hostname)).to.equal(whenDevelopment);
    });
  }
});

describe('checkAddress', () => {
  it('lets only public addresses through for a public name, in both profiles', () => {
    for (const policy of [strict, development]) {
      expect(checkAddress(policy, 'api.example.com', '8.8.8.8')).to.equal(undefined);
      expect(checkAddress(policy, 'api.example.com', '127.0.0.1')).to.equal('deny-loopback');
      expect(checkAddress(policy, 'api.example.com', '10.0.0.1')).to.equal('deny-private');
      expect(checkAddress(policy, 'api.example.com', '169.254.169.254')).to.equal('deny-metadata');
    }
  });

  it('lets localhost be this machine and nothing else, in development only', () => {
    expect(checkAddress(development, 'localhost', '127.0.0.1')).to.equal(undefined);
    expect(checkAddress(development, 'a.localhost', '::1')).to.equal(undefined);
    expect(checkAddress(development, '127.0.0.1', '127.0.0.1')).to.equal(undefined);
    expect(checkAddress(development, 'localhost', '8.8.8.8')).to.equal('deny-not-local');
    expect(checkAddress(development, 'localhost', '192.168.0.1')).to.equal('deny-private');
    expect(checkAddress(development, 'localhost', '::ffff:127.0.0.1')).to.equal('deny-v4-mapped');
    expect(checkAddress(strict, 'localhost', '127.0.0.1')).to.equal('deny-loopback');
  });

  it("opens an operator's blocks and nothing beside them", () => {
    const policy = createEgressPolicy({ profile: 'strict', allowCidrs: ['10.1.0.0/16', 'fd12::/16'] });
    expect(checkAddress(policy, 'a.example', '10.1.255.255')).to.equal(undefined);
    expect(checkAddress(policy, 'a.example', 'fd12::1')).to.equal(undefined);
    expect(checkAddress(policy, 'a.example', '10.2.0.0')).to.equal('deny-private');
    expect(checkAddress(policy, 'a.example', '::ffff:10.1.0.1')).to.equal('deny-v4-mapped');
  });

  it('never opens a metadata service, multicast or an embedded address through a block', () => {
    const allowCidrs = [
      '100.64.0.0/10',
      '169.254.0.0/16',
      'fd00::/8',
      '224.0.0.0/8',
      '::ffff:0:0/96',
      '2002::/16',
    ];
    const policy = createEgressPolicy({ profile: 'strict', allowCidrs });
    expect(checkAddress(policy, 'a.example', '100.64.0.1')).to.equal(undefined);
    for (const ip of [
      '100.100.100.200',
      '169.254.169.254',
      'fd00:ec2::254',
      '224.0.0.1',
      '::ffff:10.0.0.1',
      '2002::1',
    ]) {
      expect(checkAddress(policy, 'a.example', ip), ip).to.be.a('string');
    }
  });

  it('judges the address inside NAT64 when an operator opens the prefix', () => {
    const policy = createEgressPolicy({ profile: 'strict', allowCidrs: ['64:ff9b::/96'] });
    expect(checkAddress(policy, 'a.example', '64:ff9b::8.8.8.8')).to.equal(undefined);
    for (const inside of ['127.0.0.1', '169.254.169.254', '10.0.0.1']) {
      expect(checkAddress(policy, 'a.example', `64:ff9b::${inside}`), inside).to.equal('deny-nat64');
    }
  });

  it("lets an operator's hosts be private or shared, never loopback or link-local", () => {
    const policy = createEgressPolicy({
      profile: 'strict',
      allowHosts: ['ledger.corp.example', '*.lan.example'],
    });
    for (const hostname of ['ledger.corp.example', 'a.lan.example', 'a.b.lan.example']) {
      expect(checkAddress(policy, hostname, '10.0.0.1'), hostname).to.equal(undefined);
      expect(checkAddress(policy, hostname, '100.64.0.1'), hostname).to.equal(undefined);
      expect(checkAddress(policy, hostname, '127.0.0.1'), hostname).to.equal('deny-loopback');
      expect(checkAddress(policy, hostname, '169.254.1.1'), hostname).to.equal('deny-link-local');
      expect(checkAddress(policy, hostname, 'fd00:ec2::254'), hostname).to.equal('deny-metadata');
    }
    for (const hostname of [
      'corp.example',
      'evil-ledger.corp.example',
      'lan.example',
      'xlan.example',
      'ledger.corp.example.evil',
    ]) {
      expect(checkAddress(policy, hostname, '10.0.0.1'), hostname).to.equal('deny-private');
    }
  });
});
