import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';

/** Whoever can write to the database can't make the vault show anything that was not stored there. */
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
  const theOneError = { code: 'internal', message: 'A sealed value could not be opened.' };

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
    });
  }

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
