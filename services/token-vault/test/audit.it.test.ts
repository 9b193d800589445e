import { expect } from 'chai';

import { purposeId } from './harness/exchange-client.ts';
import { failureOf } from './harness/failure.ts';
import { type AuditRow, Fixture } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

describe('the record of every decision', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const recorded = async (application: TestApplication): Promise<Partial<AuditRow>[]> => {
    const rows = await fixture.audit(application);
    return rows.map(({ operation, token_id, outcome, reason, view }) => ({
      operation,
      token_id,
      outcome,
      reason,
      view,
    }));
  };
  const allowed = (operation: string, token_id: string | null, view: string | null) => ({
    operation,
    token_id,
    outcome: 'allowed',
    reason: null,
    view,
  });
  const denied = (operation: string, token_id: string | null, reason: string) => ({
    operation,
    token_id,
    outcome: 'denied',
    reason,
    view: null,
  });

  it('holds one row for each token of a use, with purpose, tenant and correlation id', async () => {
    const user = await fixture.application(['token:use']);
    const [a, b] = [await fixture.token(1), await fixture.token(2)];
    await fixture.gateway.use(user, [a, `${a} | to_string`, b], { correlationId: 'corr-7' });
    const rows = await fixture.audit(user);
    expect(rows).to.have.length(2);
    for (const row of rows) {
      expect(row).to.include({
        operation: 'use',
        outcome: 'allowed',
        view: 'reveal',
        purpose: 'proxy',
        purpose_id: purposeId,
        correlation_id: 'corr-7',
        tenant_id: fixture.tenantId,
      });
    }
    expect(rows.map(({ token_id }) => token_id)).to.deep.equal([a, b]);
  });

  it('holds one row for each operation on one token', async () => {
    const { gateway } = fixture;
    const all = ['token:create', 'token:read', 'token:use', 'token:delete'];
    const actor = await fixture.application(all);
    const id = String((await gateway.create(actor, { type: 'token', data: 1 }))['id']);
    await gateway.get(actor, id);
    await gateway.use(actor, [id]);
    await gateway.delete(actor, id);
    expect(await recorded(actor)).to.deep.equal([
      allowed('create', id, 'mask'),
      allowed('read', id, 'mask'),
      allowed('use', id, 'reveal'),
      allowed('delete', id, null),
    ]);
  });

  it('holds one row for each token that a tokenize request made', async () => {
    const actor = await fixture.application(['token:create']);
    const made = (await fixture.gateway.tokenize(actor, { a: 'x', b: ['y', 1], c: null })) as {
      a: string;
      b: string[];
    };
    expect(await recorded(actor)).to.have.deep.members(
      [made.a, ...made.b].map((id) => allowed('create', id, 'mask')),
    );
  });

  it('holds one row for each denial, with its reason', async () => {
    const { gateway } = fixture;
    const actor = await fixture.application(
      [],
      [
        { container: '/a/', transform: 'mask', permissions: ['token:create', 'token:read', 'token:delete'] },
        { container: '/b/', transform: 'mask', permissions: ['token:use'] },
        { container: '/c/', transform: 'reveal', permissions: ['token:use'] },
      ],
    );
    const id = await fixture.token(1, { containers: ['/b/'] });
    await failureOf(gateway.create(actor, { type: 'token', data: 1 }));
    await failureOf(gateway.get(actor, id));
    await failureOf(gateway.delete(actor, id));
    expect((await failureOf(gateway.use(actor, [id]))).message).to.equal(
      `The access rule that grants token:use for the token ${id} does not reveal it: its transform would have to be reveal.`,
    );
    const other = await fixture.application(['token:read']);
    await failureOf(gateway.use(other, [id]));
    await failureOf(gateway.create(other, { type: 'token', data: 1 }));
    await failureOf(gateway.delete(other, id));
    expect(await recorded(actor)).to.deep.equal([
      denied('create', null, 'outside_scope'),
      denied('read', id, 'outside_scope'),
      denied('delete', id, 'outside_scope'),
      denied('use', id, 'use_without_reveal'),
    ]);
    expect(await recorded(other)).to.deep.equal([
      denied('use', id, 'not_held'),
      denied('create', null, 'not_held'),
      denied('delete', id, 'not_held'),
    ]);
  });

  it('says that tokens were unknown, but not what was asked for: it could be anything', async () => {
    const user = await fixture.application(['token:use', 'token:read', 'token:delete']);
    await failureOf(fixture.gateway.use(user, ['4242424242424242', '5555555555554444']));
    await failureOf(fixture.gateway.get(user, '4242424242424242'));
    await failureOf(fixture.gateway.delete(user, '4242424242424242'));
    expect(await recorded(user)).to.deep.equal([
      denied('use', null, 'unknown_token'),
      denied('read', null, 'unknown_token'),
      denied('delete', null, 'unknown_token'),
    ]);
  });

  it('records nothing as given when one token of a use is refused', async () => {
    const user = await fixture.application(
      [],
      [{ container: '/in/', transform: 'reveal', permissions: ['token:use'] }],
    );
    const inside = await fixture.token(1, { containers: ['/in/'] });
    const outside = await fixture.token(1, { containers: ['/out/'] });
    await failureOf(fixture.gateway.use(user, [inside, outside]));
    expect(await recorded(user)).to.deep.equal([denied('use', outside, 'outside_scope')]);
  });

  it('takes a correlation id of any shape', async () => {
    const user = await fixture.application(['token:use']);
    const id = await fixture.token(1);
    const odd = ['', '\0', `a\u0000b\n"{}\\,NULL'`, 'x'.repeat(5000), '\u{1f511}'.repeat(300), 'NULL'];
    for (const correlationId of odd) await fixture.gateway.use(user, [id], { correlationId });
    const rows = await fixture.audit(user);
    expect(rows.map(({ correlation_id }) => correlation_id)).to.deep.equal([
      null,
      '?',
      `a?b?"{}\\,NULL'`,
      'x'.repeat(200),
      '\u{1f511}'.repeat(100),
      'NULL',
    ]);
  });

  it('must be written first: when it cannot be, nothing is given, made or removed', async () => {
    const { gateway, owner } = fixture;
    const [id, other] = [await fixture.token('kept'), await fixture.token('other')];
    await gateway.associate(owner, other, id);
    await gateway.use(owner, [id]);
    const count = async () => (await fixture.sql<{ n: string }>('SELECT count(*) AS n FROM token'))[0]?.n;
    const before = await count();
    await fixture.sql('ALTER TABLE audit RENAME TO audit_away');
    try {
      const outcomes = await Promise.allSettled([
        gateway.use(owner, [id]),
        gateway.use(owner, []),
        gateway.use(owner, ['unknown']),
        gateway.get(owner, id),
        gateway.create(owner, { type: 'token', data: 1 }),
        gateway.tokenize(owner, ['a', 'b']),
        gateway.delete(owner, id),
        gateway.update(owner, id, { data: 'changed' }),
        gateway.update(owner, 'unknown', {}),
        gateway.create(owner, { type: 'token', data: 'kept', deduplicate_token: true }),
        gateway.list(owner),
        gateway.list(owner, 'type=card'),
        gateway.search(owner, {}),
        gateway.associate(owner, id, other),
        gateway.createChild(owner, id, { type: 'token', data: 1 }),
        gateway.dissociate(owner, other, id),
      ]);
      for (const outcome of outcomes) {
        expect(outcome).to.have.property('status', 'rejected');
        expect((outcome as PromiseRejectedResult).reason).to.have.property('code', 'unavailable');
      }
    } finally {
      await fixture.sql('ALTER TABLE audit_away RENAME TO audit');
    }
    expect(await count()).to.equal(before);
    expect(await gateway.use(owner, [id])).to.deep.equal(['kept']);
    expect((await gateway.list(owner, '', { parentId: other })).data).to.have.length(1);
    expect((await gateway.list(owner, '', { parentId: id })).data).to.have.length(0);
  });
});
