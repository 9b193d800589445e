import { compileGrants } from '@glovebox/access/rules';
import { expect } from 'chai';

import { endCheck } from './end-check.ts';
import type { ApplicationRecord, SessionTerms } from './records.ts';

const record = (applicationId: string, session?: SessionTerms, tenantId = 't'): ApplicationRecord => {
  const applicationType = session === undefined ? 'private' : 'session';
  const principal = { tenantId, applicationId, applicationType, grants: compileGrants([], []) } as const;
  return { version: 1, principal, ...(session === undefined ? {} : { session }) };
};

describe('the end of a session', () => {
  const known = new Map(
    [record('maker'), record('granter'), record('foreign', undefined, 'u')].map((r) => [
      r.principal.applicationId,
      r,
    ]),
  );
  const at = (now: number) =>
    endCheck(
      (id) => known.get(id),
      () => now,
    );
  const session = (...originIds: string[]) => record('s', { expiresAt: 1000, originIds });

  it('is the moment at which it expires', () => {
    const live = session('maker', 'granter');
    expect(at(999)(live)).to.equal(live);
    expect(at(1000)(live)).to.equal(undefined);
  });

  it('is the end of an application that it comes from', () => {
    expect(at(0)(session('maker', 'gone'))).to.equal(undefined);
    expect(at(0)(session('gone', 'maker'))).to.equal(undefined);
    expect(at(0)(session('foreign'))).to.equal(undefined);
  });

  it('of an expiring application is the moment at which it expires, too', () => {
    const expiring = { ...record('a'), expiresAt: 1000 };
    expect(at(999)(expiring)).to.equal(expiring);
    expect(at(1000)(expiring)).to.equal(undefined);
  });

  it('does not concern other applications, and makes nobody wait for what is at hand', () => {
    const application = record('a');
    expect(at(5000)(application)).to.equal(application);
    expect(at(5000)(undefined)).to.equal(undefined);
  });

  it('is looked up where that takes a while', async () => {
    const check = endCheck(
      async (id) => known.get(id),
      () => 0,
    );
    expect(await check(session('maker'))).to.not.equal(undefined);
    expect(await check(session('maker', 'gone'))).to.equal(undefined);
  });
});
