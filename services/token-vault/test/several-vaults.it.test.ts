import { UsePurpose } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { codeOf, failureOf } from './harness/failure.ts';
import { type AnotherVault, Fixture, card } from './harness/fixture.ts';

describe('several vaults on one database', () => {
  let fixture: Fixture;
  let other: AnotherVault;
  before(async () => {
    fixture = await Fixture.start();
    other = await fixture.anotherVault();
  });
  after(async () => {
    await other[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  it('open what any of them sealed', async () => {
    const id = await fixture.token();
    expect(await other.gateway.use(fixture.owner, [id])).to.deep.equal([card]);
  });

  it('make one set of keys when a new tenant comes to all at once', async () => {
    const newcomer = await fixture.foreigner();
    const clients = [fixture.gateway, other.gateway];
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (clients[i % 2] ?? other.gateway).create(newcomer, { type: 'token', data: i }),
      ),
    );
    const ids = made.map(({ id }) => String(id));
    for (const client of clients) expect(await client.use(newcomer, ids)).to.deep.equal([...ids.keys()]);
    const keys = await fixture.sql(
      'SELECT kind, version FROM tenant_key WHERE tenant_id = $1 ORDER BY kind',
      [newcomer.tenantId],
    );
    expect(keys).to.deep.equal([
      { kind: 'data', version: 1 },
      { kind: 'index', version: 1 },
    ]);
  });

  it('never give a token whose deletion any of them has acknowledged', async () => {
    const { gateway, owner } = fixture;
    for (let round = 0; round < 30; round += 1) {
      const id = await fixture.token(round);
      expect(await other.gateway.use(owner, [id])).to.deep.equal([round]);
      expect(await other.gateway.use(owner, [id])).to.deep.equal([round]);
      await gateway.delete(owner, id);
      const failure = await failureOf(other.gateway.use(owner, [id]));
      expect(failure.message).to.equal(`Failed to detokenize some tokens: ${id}`);
    }
  });

  it('see the new token when an id was deleted and taken again', async () => {
    const { gateway, owner } = fixture;
    await fixture.token('first', { id: 'taken again' });
    expect(await other.gateway.use(owner, ['taken again'])).to.deep.equal(['first']);
    await gateway.delete(owner, 'taken again');
    await fixture.token('second', { id: 'taken again' });
    expect(await other.gateway.use(owner, ['taken again'])).to.deep.equal(['second']);
  });

  it('refuse nothing by what they knew of a token before it was changed', async () => {
    const { gateway, owner } = fixture;
    const permissions = ['token:read', 'token:use'];
    const reader = await fixture.application(
      [],
      [
        { container: '/open/', transform: 'reveal', permissions },
        { container: '/masked/', transform: 'mask', permissions },
      ],
    );
    const detokenize = { purpose: UsePurpose.USE_PURPOSE_DETOKENIZE };
    for (const closed of ['/closed/', '/masked/']) {
      const id = await fixture.token('moved', { containers: [closed] });
      expect(await other.gateway.use(owner, [id])).to.deep.equal(['moved']);
      for (const more of [{}, detokenize]) {
        expect(await codeOf(other.gateway.use(reader, [id], {}, more))).to.equal('permission_denied');
      }
      await gateway.update(owner, id, { containers: ['/open/'] });
      expect(await other.gateway.use(reader, [id], {}, detokenize)).to.deep.equal(['moved']);
      await other.gateway.use(owner, [id]);
      await gateway.update(owner, id, { containers: [closed] });
      await gateway.update(owner, id, { containers: ['/open/'] });
      expect(await other.gateway.use(reader, [id])).to.deep.equal(['moved']);
    }
  });

  it('record one refusal for each, decided on what is so now', async () => {
    const { gateway, owner } = fixture;
    const reader = await fixture.application(
      [],
      [{ container: '/open/', transform: 'reveal', permissions: ['token:use'] }],
    );
    const id = await fixture.token('moved', { containers: ['/closed/'] });
    await other.gateway.use(owner, [id]);
    await gateway.update(owner, id, { containers: ['/closed/deep/'] });
    expect(await codeOf(other.gateway.use(reader, [id]))).to.equal('permission_denied');
    const [entry, ...more] = await fixture.audit(reader);
    expect(entry).to.include({ outcome: 'denied', token_id: id, reason: 'outside_scope' });
    expect(more).to.deep.equal([]);
  });

  it('give a token whose time was prolonged through another of them', async () => {
    const { gateway, owner } = fixture;
    const expiresAt = Date.now() + 3000;
    const id = await fixture.token('kept on', { expires_at: new Date(expiresAt).toISOString() });
    expect(await other.gateway.use(owner, [id])).to.deep.equal(['kept on']);
    await gateway.update(owner, id, { expires_at: '2040-01-01' });
    while (Date.now() <= expiresAt)
      await new Promise((resolve) => setTimeout(resolve, expiresAt + 1 - Date.now()));
    expect(await other.gateway.use(owner, [id])).to.deep.equal(['kept on']);
  });

  it('let one of two creations of the same id win', async () => {
    const attempts = await Promise.allSettled(
      [fixture.gateway, other.gateway].map((client, i) =>
        client.create(fixture.owner, { type: 'token', id: 'the same id', data: i }),
      ),
    );
    expect(attempts.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
    const lost = attempts.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason).to.have.property('code', 'conflict');
  });

  it('find the data of one that ended', async () => {
    const third = await fixture.anotherVault();
    const created = await third.gateway.create(fixture.owner, { type: 'token', data: 'kept' });
    await third[Symbol.asyncDispose]();
    await using fourth = await fixture.anotherVault();
    expect(await fourth.gateway.use(fixture.owner, [String(created['id'])])).to.deep.equal(['kept']);
  });

  it('remove expired rows, each once, with a record', async () => {
    await using tidy = await fixture.anotherVault({ PURGE_INTERVAL_MS: '20' });
    await using tidyToo = await fixture.anotherVault({ PURGE_INTERVAL_MS: '20' });
    const expiresAt = new Date(Date.now() + 300).toISOString();
    const ids = await Promise.all([1, 2, 3].map((data) => fixture.token(data, { expires_at: expiresAt })));
    const left = async () => (await fixture.sql('SELECT id FROM token WHERE id = ANY($1)', [ids])).length;
    while ((await left()) > 0);
    const rows = await fixture.sql(
      `SELECT token_id FROM audit WHERE token_id = ANY($1) AND operation = 'delete' AND purpose = 'expired'`,
      [ids],
    );
    expect(rows.map((row) => row['token_id'] as string)).to.have.members(ids);
    expect([tidy, tidyToo]).to.have.length(2);
  });
});
