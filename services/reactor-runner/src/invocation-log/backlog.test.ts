import { expect } from 'chai';

import { Backlog } from './backlog.ts';
import type { LoggedInvocation } from './invocation.ts';

function invocation(tenantId: string, ownerId: string, id = '', logBytes = 10): LoggedInvocation {
  return {
    id,
    tenantId,
    owner: { id: ownerId },
    correlationId: 'c',
    endedAt: 0,
    durationMs: 0,
    outcome: { kind: 'timeout' },
    log: Buffer.alloc(logBytes),
  };
}

describe('the backlog of invocations', () => {
  let backlog: Backlog;
  beforeEach(() => {
    backlog = new Backlog();
  });
  const idsOf = (tenantId: string) =>
    backlog
      .take()
      .filter((one) => one.tenantId === tenantId)
      .map(({ id }) => id);

  it('gives all that waits once, in order', () => {
    for (const id of ['a', 'b', 'c']) expect(backlog.add(invocation('t', 'o', id))).to.equal(0);
    expect(idsOf('t')).to.deep.equal(['a', 'b', 'c']);
    expect(backlog.take()).to.deep.equal([]);
  });

  it('keeps the newest of an owner', () => {
    for (let n = 0; n < 50; n += 1) {
      expect(backlog.add(invocation('t', 'o', String(n)))).to.equal(n < 20 ? 0 : 1);
    }
    expect(idsOf('t')).to.deep.equal(Array.from({ length: 20 }, (_, n) => String(n + 30)));
  });

  it('keeps room for other tenants, whatever one does', () => {
    for (let n = 0; n < 5000; n += 1) backlog.add(invocation('many', `o${n}`));
    for (let n = 0; n < 5000; n += 1) backlog.add(invocation('large', 'o', '', 90_000));
    expect(backlog.add(invocation('quiet', 'o', 'here'))).to.equal(0);
    const all = backlog.take();
    expect(all.filter(({ tenantId }) => tenantId === 'many')).to.have.length(200);
    expect(all.filter(({ tenantId }) => tenantId === 'large')).to.have.length(11);
    expect(all.at(-1)?.id).to.equal('here');
  });

  it('is bounded over all tenants', () => {
    for (let n = 0; n < 5000; n += 1) backlog.add(invocation(`t${n}`, 'o'));
    expect(backlog.take()).to.have.length(1000);
    for (let n = 0; n < 500; n += 1) backlog.add(invocation(`t${n}`, 'o', '', 90_000));
    expect(backlog.take()).to.have.length(46);
  });

  it('has room again once it was taken', () => {
    for (let n = 0; n < 5000; n += 1) backlog.add(invocation('t', `o${n}`));
    backlog.take();
    expect(backlog.add(invocation('t', 'o'))).to.equal(0);
  });
});
