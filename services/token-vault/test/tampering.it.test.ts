import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';

/** An attacker who can write to the database can't make the vault show anything that was not stored there. */
describe('rows that were tampered with', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  /** Also changes the revision, so that no cache hides the change. */
  const setData = (id: string, expression: string) =>
    fixture.sql(
      `UPDATE token SET sealed_data = ${expression}, revision = nextval('token_revision') WHERE id = $1`,
      [id],
    );
  const theOneError = {
    code: 'integrity_violation',
    message: 'Stored data does not authenticate, so it is not used.',
  };

  const tampering: Record<string, (other: string) => string> = {
    'a flipped bit of the text': () => 'set_bit(sealed_data, 8 * 20, 1 - get_bit(sealed_data, 8 * 20))',
    'a flipped bit of the tag': () =>
      'set_bit(sealed_data, 8 * (octet_length(sealed_data) - 1), 1 - get_bit(sealed_data, 8 * (octet_length(sealed_data) - 1)))',
    'another key version': () => 'set_byte(sealed_data, 4, 2)',
    'another format': () => 'set_byte(sealed_data, 0, 2)',
    'a missing last byte': () => 'substring(sealed_data FROM 1 FOR octet_length(sealed_data) - 1)',
    'no bytes': () => `''::bytea`,
    'plain text': () => `convert_to('{"number":"4242424242424242"}', 'UTF8')`,
    'the bytes of another token': (other) => `(SELECT sealed_data FROM token WHERE id = '${other}')`,
  };
  for (const [name, change] of Object.entries(tampering)) {
    it(`give one error that says no more: ${name}`, async () => {
      const id = await fixture.token('the value');
      await setData(id, change(await fixture.token('another value')));
      expect(await failureOf(fixture.gateway.use(fixture.owner, [id]))).to.include(theOneError);
      expect(await failureOf(fixture.gateway.get(fixture.owner, id))).to.include(theOneError);
      const recorded = await fixture.sql(
        `SELECT operation, outcome, reason FROM audit WHERE token_id = $1 AND reason IS NOT NULL ORDER BY id`,
        [id],
      );
      const violation = { outcome: 'denied', reason: 'integrity_violation' };
      expect(recorded).to.deep.equal([
        { operation: 'use', ...violation },
        { operation: 'read', ...violation },
      ]);
    });
  }

  it('are counted, for the alert', async () => {
    const counted = async () => {
      const response = await fetch(`http://127.0.0.1:${fixture.vault.vault.metricsPort}/metrics`);
      return Number(/^glovebox_integrity_violations_total\{\S+\} (\S+)$/m.exec(await response.text())?.[1]);
    };
    const id = await fixture.token('the value');
    await setData(id, `''::bytea`);
    const before = await counted();
    await failureOf(fixture.gateway.use(fixture.owner, [id]));
    expect(await counted()).to.equal(before + 1);
  });

  it('do not open for another tenant, nor under another id', async () => {
    const foreigner = await fixture.foreigner();
    const id = await fixture.token('the value');
    await fixture.gateway.create(foreigner, { type: 'token', data: 'theirs' });
    await fixture.sql(
      `INSERT INTO token (tenant_id, id, type, container, sealed_data, search_indexes, search_hashes, created_by, created_at)
       SELECT $2, id, type, container, sealed_data, search_indexes, search_hashes, created_by, created_at
         FROM token WHERE id = $1`,
      [id, foreigner.tenantId],
    );
    expect(await failureOf(fixture.gateway.use(foreigner, [id]))).to.include(theOneError);
    await fixture.sql(`UPDATE token SET id = 'renamed', revision = nextval('token_revision') WHERE id = $1`, [
      id,
    ]);
    expect(await failureOf(fixture.gateway.use(fixture.owner, ['renamed']))).to.include(theOneError);
  });

  it('do not exchange their data and tags, nor take those of another tenant', async () => {
    const foreigner = await fixture.foreigner();
    const [mine, other] = [await fixture.token('mine'), await fixture.token('other')];
    const theirs = String((await fixture.gateway.create(foreigner, { type: 'token', data: 'theirs' }))['id']);
    const take = (id: string, from: string) =>
      fixture.sql(
        `UPDATE token SET sealed_data = taken.sealed_data, tag = taken.tag, revision = taken.revision
           FROM token AS taken WHERE token.id = $1 AND taken.id = $2`,
        [id, from],
      );
    for (const from of [other, theirs]) {
      await take(mine, from);
      expect(await failureOf(fixture.gateway.use(fixture.owner, [mine]))).to.include(theOneError);
      expect(await failureOf(fixture.gateway.delete(fixture.owner, mine))).to.include(theOneError);
    }
  });

  it('are refused with any byte of the data or the tag changed', async () => {
    const id = await fixture.token('x');
    const [row] = await fixture.sql<Record<'sealed_data' | 'tag', Buffer>>(
      'SELECT sealed_data, tag FROM token WHERE id = $1',
      [id],
    );
    for (const column of ['sealed_data', 'tag'] as const) {
      const bytes = row?.[column] ?? Buffer.alloc(0);
      expect(bytes.length).to.be.greaterThan(30);
      for (let at = 0; at < bytes.length; at += 1) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        await fixture.sql(`UPDATE token SET ${column} = $2 WHERE id = $1`, [id, changed]);
        const failure = await failureOf(fixture.gateway.get(fixture.owner, id));
        expect(failure, `${column} ${at}`).to.include(theOneError);
      }
      await fixture.sql(`UPDATE token SET ${column} = $2 WHERE id = $1`, [id, bytes]);
    }
    expect((await fixture.gateway.get(fixture.owner, id))['data']).to.equal('x');
  });

  it('harm no other call of their frame', async () => {
    const [good, bad] = [await fixture.token('good'), await fixture.token('bad')];
    await setData(bad, `''::bytea`);
    const [first, second] = await Promise.allSettled([
      fixture.gateway.use(fixture.owner, [bad]),
      fixture.gateway.use(fixture.owner, [good]),
    ]);
    expect(first.status).to.equal('rejected');
    expect(second).to.deep.include({ status: 'fulfilled', value: ['good'] });
  });

  it('do not help to use the key of another tenant', async () => {
    const foreigner = await fixture.foreigner();
    const mine = await fixture.token('mine');
    await fixture.gateway.create(foreigner, { type: 'token', data: 'theirs' });
    const copy = `UPDATE tenant_key SET wrapped = theirs.wrapped, key_id = theirs.key_id
                    FROM tenant_key AS theirs
                   WHERE tenant_key.tenant_id = $1 AND theirs.tenant_id = $2
                     AND tenant_key.kind = theirs.kind AND tenant_key.version = theirs.version`;
    await fixture.sql(copy, [fixture.tenantId, foreigner.tenantId]);
    await using restarted = await fixture.anotherVault();
    expect(await failureOf(restarted.gateway.use(fixture.owner, [mine]))).to.include(theOneError);
  });
});
