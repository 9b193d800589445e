import { expect } from 'chai';

import { egressReason, readTenantEgress } from './tenant-egress.ts';

const destinations = { patterns: ['api.example.com', '*.example.org', 'pay.example:8443'] };

describe('the egress policy of a tenant', () => {
  const policy = readTenantEgress({ mode: 'enforce', destinations, ephemeral: false });

  for (const [place, reason] of [
    ['api.example.com:443', undefined],
    ['a.b.example.org:443', undefined],
    ['pay.example:8443', undefined],
    ['example.org:443', 'egress_policy'],
    ['api.example.com:8443', 'egress_policy'],
    ['api.example.com.:443', 'egress_policy'],
    ['93.184.216.34:443', 'egress_policy'],
    ['[::1]:443', 'egress_policy'],
  ] as const) {
    it(`lets ${place} ${reason === undefined ? 'pass' : 'not pass'}`, () => {
      expect(policy && egressReason(policy, place)).to.equal(reason);
    });
  }

  it('may forbid ephemeral proxies, whatever their host', () => {
    expect(policy && egressReason(policy, 'api.example.com:443', true)).to.equal('ephemeral_proxy');
    const open = readTenantEgress({ mode: 'report', destinations, ephemeral: true });
    expect(open && egressReason(open, 'api.example.com:443', true)).to.equal(undefined);
    expect(open?.isEnforced).to.equal(false);
  });

  it('decides nothing while it is off, and lets no host pass without a list', () => {
    expect(readTenantEgress({ mode: 'off', destinations, ephemeral: false })).to.equal(undefined);
    const none = readTenantEgress({ mode: 'enforce', destinations: undefined, ephemeral: true });
    expect(none && egressReason(none, 'api.example.com:443')).to.equal('egress_policy');
  });

  it('is not read when its mode is unknown', () => {
    const read = () => readTenantEgress({ mode: 'ask', destinations, ephemeral: true });
    expect(read).to.throw('unknown mode');
  });
});
