import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import { Fixture, card } from './harness/fixture.ts';

const { cvc, ...withoutCode } = card;

describe('the security code of a card', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start({ CVC_RETENTION_MS: '3000' });
  });
  after(() => fixture[Symbol.asyncDispose]());

  const isOver = async (id: string) => {
    const rows = await fixture.sql<{ due: Date }>('SELECT cvc_expires_at AS due FROM token WHERE id = $1', [
      id,
    ]);
    const due = rows[0]?.due.getTime() as number;
    while (Date.now() <= due) await wait(due - Date.now() + 1);
  };

  it('is gone for everyone when its time is over, also from where the card is at hand', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token();
    expect(await gateway.use(owner, [id, `${id} | json: '$.cvc'`])).to.deep.equal([card, cvc]);
    expect((await gateway.get(owner, id))['data']).to.deep.equal(card);
    await isOver(id);
    const expressions = [id, `${id} | json: '$.cvc'`, `token: ${id} | json: '$.data'`];
    expect(await gateway.use(owner, expressions)).to.deep.equal([withoutCode, null, withoutCode]);
    expect((await gateway.get(owner, id))['data']).to.deep.equal(withoutCode);
  });

  it('is shown by no mask either', async () => {
    const viewer = await fixture.application(['token:read']);
    const id = await fixture.token(card, { mask: { cvc: '{{ data.cvc }}', n: '{{ data.number | last4 }}' } });
    await isOver(id);
    expect((await fixture.gateway.get(viewer, id))['data']).to.deep.equal({ n: '4242' });
  });

  it('stays in a fingerprint that reads it when only metadata changes', async () => {
    const { gateway, owner } = fixture;
    const of = (expression: string) => fixture.token(card, { fingerprint_expression: expression });
    const ids = await Promise.all(['{{ data.cvc | to_number }}', '{{ data.cvc }}'].map(of));
    for (const id of ids) {
      const { fingerprint } = await gateway.get(owner, id);
      await isOver(id);
      expect(await gateway.update(owner, id, { metadata: { a: '1' } })).to.include({ fingerprint });
    }
    const both = await of('{{ data.number }}{{ metadata.a }}');
    const { fingerprint } = await gateway.get(owner, both);
    const changed = await gateway.update(owner, both, { metadata: { a: '1' } });
    expect(changed['fingerprint']).to.be.a('string').that.is.not.equal(fingerprint);
  });

  it('stays where it is no security code: in the data of other types', async () => {
    const [id, due] = [await fixture.token({ cvc: '123' }), await fixture.token()];
    await fixture.edit('cvc_expires_at = now()', [id, due]);
    await using tidy = await fixture.anotherVault({ PURGE_INTERVAL_MS: '20' });
    await untilForgotten([due]);
    expect(await tidy.gateway.use(fixture.owner, [id])).to.deep.equal([{ cvc: '123' }]);
  });

  const untilForgotten = async (ids: readonly string[]) => {
    const left = () =>
      fixture.sql('SELECT 1 FROM token WHERE id = ANY($1) AND cvc_expires_at IS NOT NULL', [ids]);
    while ((await left()).length > 0) await wait(10);
  };

  it('is removed from the database, once, with a record, and nothing finds the card by it', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(() => fixture.token(card, { search_indexes: ['{{ data.cvc }}', '{{ data.number }}'] })),
    );
    const bare = await fixture.token({ ...card, cvc: undefined });
    const hashesOf = () =>
      fixture.sql<{ n: number }>('SELECT cardinality(search_hashes) AS n FROM token WHERE id = ANY($1)', [
        ids,
      ]);
    expect((await hashesOf()).map(({ n }) => n)).to.deep.equal([2, 2, 2]);
    await using tidy = await fixture.anotherVault({ PURGE_INTERVAL_MS: '20' });
    await using tidyToo = await fixture.anotherVault({ PURGE_INTERVAL_MS: '20' });
    await untilForgotten(ids);
    expect((await hashesOf()).map(({ n }) => n)).to.deep.equal([1, 1, 1]);
    const rows = await fixture.sql<{ token_id: string; application_id: string | null }>(
      `SELECT token_id, application_id FROM audit
        WHERE token_id = ANY($1) AND operation = 'update' AND purpose = 'cvc_expired'`,
      [[...ids, bare]],
    );
    expect(rows.map(({ token_id }) => token_id)).to.have.members(ids);
    expect(rows[0]?.application_id).to.equal(null);
    // Even a vault that keeps codes for ever has no code any more.
    for (const vault of [fixture, tidy, tidyToo]) {
      expect(await vault.gateway.use(fixture.owner, ids)).to.deep.equal(ids.map(() => withoutCode));
    }
  });

  it('is removed from cards that a vault of an earlier version has written', async () => {
    const id = await fixture.token();
    await fixture.sql(
      `INSERT INTO token (tenant_id, id, type, container, sealed_data, search_indexes, search_hashes, created_by, created_at)
       SELECT tenant_id, 'copy of ' || id, type, container, sealed_data, search_indexes, search_hashes, created_by, created_at
         FROM token WHERE id = $1`,
      [id],
    );
    const due = await fixture.sql<{ ms: number }>(
      `SELECT extract(epoch FROM cvc_expires_at - now())::integer * 1000 AS ms FROM token WHERE id = $1`,
      [`copy of ${id}`],
    );
    expect(due[0]?.ms).to.be.within(3_500_000, 3_600_000);
  });

  it('does not keep other codes from being removed when its card cannot be opened', async () => {
    const [broken, good] = [await fixture.token(), await fixture.token()];
    await fixture.sql(
      `UPDATE token SET sealed_data = set_byte(sealed_data, 40, get_byte(sealed_data, 40) # 1) WHERE id = $1`,
      [broken],
    );
    await using tidy = await fixture.anotherVault({ PURGE_INTERVAL_MS: '20' });
    await untilForgotten([good]);
    expect(await tidy.gateway.use(fixture.owner, [good])).to.deep.equal([withoutCode]);
  });
});
