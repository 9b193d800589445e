import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';

/**
 * A change of each column, as who can write to the database can make it. A new column of these tables needs a line: either
 * the tag covers it (tokens/authentic-rows.ts, keys/client-keys/authentic-client-keys.ts), or it says why none is needed.
 */
const tokenColumns: Readonly<Record<string, string>> = {
  tenant_id: `gen_random_uuid()`,
  id: `id || 'x'`,
  revision: `nextval('token_revision')`,
  type: `'token'`,
  container: `'/general/low/'`,
  mask: `'"{{ data.number }}"'`,
  metadata: `'{"a": "2"}'`,
  fingerprint: `'another'`,
  fingerprint_expression: `'{{ data.cvc }}'`,
  search_indexes: `ARRAY['{{ data.cvc }}']`,
  search_hashes: `ARRAY[sha256('')]`,
  encryption: `'{"a": 1}'`,
  expires_at: `expires_at + interval '1 day'`,
  expires_at_text: `'2036-01-01T00:00:00Z'`,
  cvc_expires_at: `cvc_expires_at + interval '1 day'`,
  created_by: `gen_random_uuid()`,
  created_at: `created_at + interval '1 second'`,
  modified_by: `gen_random_uuid()`,
  modified_at: `now()`,
  tag: `sha256('')`,
  sealed_data: `set_byte(sealed_data, 6, get_byte(sealed_data, 6) # 1)`,
};

const clientKeyColumns: Readonly<Record<string, string>> = {
  tenant_id: `gen_random_uuid()`,
  id: `gen_random_uuid()`,
  encoding: `'PEM'`,
  public_key: `json_build_object('kty', 'EC', 'crv', 'P-256', 'x', public_key -> 'y', 'y', public_key -> 'x')`,
  sealed_private_key: `set_byte(sealed_private_key, 6, get_byte(sealed_private_key, 6) # 1)`,
  expires_at: `expires_at + interval '1 day'`,
  expires_at_text: `'2036-01-01T00:00:00Z'`,
  created_by: `gen_random_uuid()`,
  created_at: `created_at + interval '1 second'`,
  tag: 'NULL',
};

/** Tables whose rows need no tag, and why. */
const otherTables: Readonly<Record<string, string>> = {
  tenant_key:
    'each key is wrapped for its tenant, kind, version and row format; dates and counts decide when the next key is made',
  audit: 'sealed in ranges: audit verify',
  audit_key: 'wrapped for its place',
  audit_signing_key: 'wrapped for its fingerprint; readers of exports know that from elsewhere',
  audit_seal: 'an HMAC over all of it, chained',
  idempotency_record:
    'the answer is sealed for tenant and scope; without it the write is done again, with the same rights',
  token_association: 'gives no right: parent and child are decided on by their own rows',
  index_rotation: 'which index keys are replaced; a wrong row loses fingerprints, and gives no right',
  key_rotation: 'which keys the operator rotates; a wrong version names no key',
  event_outbox: 'the events of webhooks: ids without data, on which no decision depends',
  token_activity: 'a report',
  token_activity_progress: 'a report',
  operation_count: 'a report',
  operation_count_progress: 'a report',
  tenant_traffic: 'counts what people look at; nothing is decided by it',
  tenant_erasure: 'lets nobody read anything; its certificate is signed',
  schema_migrations: 'which migrations have run',
  vault_key_drop: 'a report to the operator',
  vault_seal:
    'gives no key: without it the vault is as before the operator sealed it; the audit log has both',
};

describe('what decides about a stored row', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const violation = 'integrity_violation';
  const codesOf = (calls: readonly Promise<unknown>[]) =>
    Promise.all(calls.map(async (call) => (await failureOf(call)).code));
  const newToken = () =>
    fixture.token(card, {
      mask: { number: '{{ data.number | reveal_last: 4 }}' },
      metadata: { a: '1' },
      search_indexes: ['{{ data.number }}'],
      expires_at: '2035-01-01T00:00:00Z',
      deduplicate_token: false,
    });
  const columnsOf = async (table: string) => {
    const rows = await fixture.sql<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
      [table],
    );
    return rows.map(({ name }) => name);
  };

  it('is listed: every column and table of the vault is, with the reason where it needs no tag', async () => {
    expect(await columnsOf('token')).to.have.members(Object.keys(tokenColumns));
    expect(await columnsOf('client_key')).to.have.members(Object.keys(clientKeyColumns));
    // Partitions are parts of their table.
    const tables = await fixture.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const named = ['token', 'client_key', ...Object.keys(otherTables)];
    expect(tables.map(({ name }) => name)).to.have.members(named);
  });

  for (const [column, change] of Object.entries(tokenColumns)) {
    it(`is authenticated: ${column} of a token`, async () => {
      const { gateway, owner } = fixture;
      // No other test lists by this name.
      const id = await newToken();
      const foreigner = column === 'tenant_id' ? await fixture.foreigner() : owner;
      const [changed] = await fixture.sql<{ id: string }>(
        `UPDATE token SET ${column} = ${column === 'tenant_id' ? `'${foreigner.tenantId}'` : change} WHERE id = $1 RETURNING id`,
        [id],
      );
      const at = changed?.id ?? '';
      const codes = await codesOf([
        gateway.use(foreigner, [at]),
        gateway.get(foreigner, at),
        gateway.list(foreigner, `id=${at}`),
        gateway.update(foreigner, at, { metadata: { b: '2' } }),
        gateway.delete(foreigner, at),
      ]);
      expect(codes).to.deep.equal(codes.map(() => violation));
      const recorded = await fixture.sql<{ operation: string }>(
        `SELECT DISTINCT operation FROM audit WHERE token_id = $1 AND reason = 'integrity_violation' ORDER BY 1`,
        [at],
      );
      const operations = recorded.map(({ operation }) => operation);
      expect(operations).to.deep.equal(['delete', 'read', 'update', 'use']);
    });
  }

  for (const [column, change] of Object.entries(clientKeyColumns)) {
    it(`is authenticated: ${column} of a client key`, async () => {
      const keeper = await fixture.publisher.application({
        tenantId: column === 'tenant_id' ? await fixture.publisher.tenant() : fixture.tenantId,
        permissions: ['keys:create', 'keys:read'],
      });
      const maker = await fixture.application(['keys:create']);
      const key = await fixture.gateway.createKey(maker, { expires_at: '2035-01-01T00:00:00Z' });
      const [changed] = await fixture.sql<{ id: string }>(
        `UPDATE client_key SET ${column} = ${column === 'tenant_id' ? `'${keeper.tenantId}'` : change} WHERE id = $1 RETURNING id`,
        [key['id']],
      );
      const failure = await failureOf(fixture.gateway.getKey(keeper, changed?.id ?? ''));
      expect(failure.code).to.equal(violation);
      await fixture.sql('DELETE FROM client_key WHERE id = $1', [changed?.id]);
    });
  }

  it('does not go with data of another revision, older or newer', async () => {
    const { gateway, owner } = fixture;
    const id = await newToken();
    const stored = async () =>
      (await fixture.sql<{ sealed_data: Buffer }>('SELECT * FROM token WHERE id = $1', [id]))[0];
    const older = await stored();
    await gateway.update(owner, id, { data: { number: '5555555555554444' } });
    const newer = await stored();
    await fixture.sql('UPDATE token SET sealed_data = $2 WHERE id = $1', [id, older?.sealed_data]);
    expect(await codesOf([gateway.get(owner, id)])).to.deep.equal([violation]);
    await fixture.sql('UPDATE token SET sealed_data = $2 WHERE id = $1', [id, newer?.sealed_data]);
    expect((await gateway.get(owner, id))['data']).to.include({ number: '5555555555554444' });
    await gateway.update(owner, id, { container: undefined, metadata: { a: '3' } });
    expect((await gateway.get(owner, id))['metadata']).to.deep.equal({ a: '3' });
  });
});
