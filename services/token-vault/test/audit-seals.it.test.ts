import { createHmac, randomUUID } from 'node:crypto';

import { type Postgres, createPostgres } from '@glovebox/platform/db/postgres';
import { createMetrics } from '@glovebox/platform/telemetry/metrics';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { AuditSeals } from '../src/audit/audit-seals.ts';
import { unwrapAuditKey } from '../src/crypto/audit-key.ts';
import { lengthPrefixed } from '../src/crypto/length-prefixed.ts';
import { openLocalFileKeyProvider } from '../src/crypto/local-file-key-provider.ts';
import { addUnsealedAgeGauge } from '../src/store/age-gauges.ts';
import { readAuditKey } from '../src/store/audit-keys.ts';
import { lastSeal } from '../src/store/audit-seals.ts';
import { runCli } from './harness/cli.ts';
import { Fixture } from './harness/fixture.ts';
import { withClient } from './harness/servers.ts';

interface Verdict {
  readonly intact: boolean;
  readonly ranges: number;
  readonly purged_ranges: number;
  readonly rows: number;
  readonly unsealed_rows: number;
  readonly head: string;
  readonly first_mismatch?: { range?: string; after_id?: string; last_id?: string; problem: string };
}

describe('the seals of the audit log', () => {
  let fixture: Fixture;
  let stack: AsyncDisposableStack;
  let postgres: Postgres;
  let seals: AuditSeals;

  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    fixture = stack.use(await Fixture.start());
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    postgres = stack.use(
      createPostgres({
        url: new Secret(DATABASE_URL),
        maxConnections: 3,
        statementTimeoutMs: 10_000,
        connectTimeoutMs: 5000,
        applicationName: 'test',
        onError: () => undefined,
      }),
    );
    seals = new AuditSeals(postgres.acrossTenants('test'), await openLocalFileKeyProvider(KEY_FILE));
  });
  afterEach(() => stack.disposeAsync());

  const add = (at = 'now()') =>
    fixture.sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, at)
       VALUES ($1, $2, 'read', 'token', 'allowed', ${at})`,
      [randomUUID(), randomUUID()],
    );
  const verify = async (...args: string[]): Promise<Verdict & { code: number }> => {
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const { code, stdout, stderr } = await runCli(['audit', 'verify', ...args], { DATABASE_URL, KEY_FILE });
    expect(stdout, stderr).not.to.equal('');
    return { code, ...(JSON.parse(stdout) as Verdict) };
  };
  /** As somebody does who has the database, but not the key. */
  const tamper = (...statements: string[]) =>
    withClient(fixture.ground.databaseUrl, async (client) => {
      await client.query(`SET session_replication_role = 'replica'`);
      for (const statement of statements) await client.query(statement);
    });
  const threeRanges = async () => {
    for (let range = 0; range < 3; range += 1) {
      for (let row = 0; row < 3; row += 1) await add();
      await seals.seal();
    }
  };
  const expectMismatch = async (range: string | undefined, problem: string, ...args: string[]) => {
    const { code, intact, first_mismatch } = await verify(...args);
    expect({ code, intact, range: first_mismatch?.range, problem: first_mismatch?.problem }).to.deep.equal({
      code: 65,
      intact: false,
      range,
      problem,
    });
  };

  it('match what vaults have written, and show what is not sealed yet', async () => {
    expect(await verify()).to.deep.equal({ code: 0, intact: true, ranges: 0, unsealed_rows: 0 });
    const id = await fixture.token();
    await fixture.gateway.use(fixture.owner, [id]);
    await seals.seal();
    await fixture.gateway.delete(fixture.owner, id);
    await seals.seal();
    await add();
    const { head, ...verdict } = await verify();
    expect(verdict).to.deep.include({ code: 0, intact: true, ranges: 2, rows: 3, unsealed_rows: 1 });
    await seals.seal();
    expect(await verify('--head', head)).to.include({ code: 0, ranges: 3, unsealed_rows: 0 });
  });

  it('show in a metric for how long the oldest row has waited', async () => {
    const waited = async () => {
      const registry = createMetrics('test');
      addUnsealedAgeGauge(registry, postgres.acrossTenants('test'));
      const text = await registry.metrics();
      return Number(/^glovebox_vault_audit_unsealed_seconds\{\S+\} (\S+)$/m.exec(text)?.[1]);
    };
    expect(await waited()).to.equal(0);
    await add(`now() - interval '1 hour'`);
    await add();
    expect(await waited()).to.be.within(3600, 3660);
    await seals.seal();
    expect(await waited()).to.equal(0);
  });

  const changes: readonly [string, string, string][] = [
    ['a changed row', `UPDATE audit SET outcome = 'denied' WHERE id = 5`, 'rows were changed'],
    [
      'a changed destination',
      `UPDATE audit SET destination = 'good.example:443' WHERE id = 5`,
      'rows were changed',
    ],
    ['a later time', `UPDATE audit SET at = at + interval '1 microsecond' WHERE id = 5`, 'rows were changed'],
    ['a removed row', 'DELETE FROM audit WHERE id = 5', 'rows were removed'],
    [
      "two rows in each other's place",
      'UPDATE audit SET id = -id WHERE id IN (4, 5); UPDATE audit SET id = 9 + id WHERE id IN (-4, -5)',
      'rows were changed',
    ],
    [
      'a row in place of another one',
      `DELETE FROM audit WHERE id = 5;
       INSERT INTO audit (id, tenant_id, operation, outcome) OVERRIDING SYSTEM VALUE
       VALUES (5, gen_random_uuid(), 'read', 'allowed')`,
      'rows were changed',
    ],
    [
      'a changed seal',
      `UPDATE audit_seal SET rows_digest = sha256('') WHERE number = 2`,
      'its seal was changed',
    ],
    [
      'rows and seal changed to fit each other',
      `DELETE FROM audit WHERE id = 5; UPDATE audit_seal SET row_count = 2 WHERE number = 2`,
      'its seal was changed',
    ],
    [
      'rows that were removed as the purge would',
      `SELECT purge_sealed_audit(2, now(), sha256(''))`,
      'its rows were removed without the key',
    ],
  ];
  for (const [what, statements, problem] of changes) {
    it(`show ${what}, and in which range`, async () => {
      await threeRanges();
      // For what changes an identity column.
      await tamper('ALTER TABLE audit ALTER COLUMN id SET GENERATED BY DEFAULT', ...statements.split(';'));
      await expectMismatch('2', problem);
    });
  }

  it('show a row that was inserted into a gap, and before the first range', async () => {
    await fixture.sql(`SELECT nextval(pg_get_serial_sequence('audit', 'id'))`);
    await threeRanges();
    const insert = (id: number) =>
      tamper(
        `INSERT INTO audit (id, tenant_id, operation, outcome) OVERRIDING SYSTEM VALUE
         VALUES (${id}, gen_random_uuid(), 'read', 'allowed')`,
      );
    await insert(1);
    await expectMismatch('1', 'rows were inserted');
    await insert(0);
    await expectMismatch(undefined, 'rows were inserted before the first range');
  });

  it('show that a range was left out, and that the newest ones were, to a reader who knows an earlier head', async () => {
    await threeRanges();
    const { head } = await verify();
    await tamper('DELETE FROM audit WHERE id > 6', 'DELETE FROM audit_seal WHERE number = 3');
    expect(await verify()).to.include({ code: 0, ranges: 2 });
    await expectMismatch(undefined, 'the newest ranges were removed: there is no range 3', '--head', head);
    await tamper('DELETE FROM audit_seal WHERE number = 1');
    await expectMismatch('2', 'ranges before it were removed');
    await tamper('DELETE FROM audit_key');
    const { code, first_mismatch } = await verify();
    expect([code, first_mismatch?.problem]).to.deep.equal([65, 'the key of the seals was removed']);
    expect((await runCli(['audit', 'verify', '--head', 'x'], {})).code).to.equal(64);
  });

  it('are verified on from where an earlier call has ended, and only if that range is still what it was', async () => {
    await threeRanges();
    const { head } = await verify();
    await add();
    await seals.seal();
    expect(await verify('--after', head)).to.include({ code: 0, intact: true, ranges: 1, rows: 1 });
    expect(await verify('--after', head, '--head', head)).to.include({ code: 0, ranges: 1 });
    await tamper('DELETE FROM audit WHERE id = 5');
    expect(await verify('--after', head), 'before it nothing is looked at').to.include({
      code: 0,
      ranges: 1,
    });
    await tamper('DELETE FROM audit WHERE id = 10');
    await expectMismatch('4', 'rows were removed', '--after', head);
    const problem = 'there is no range 3 with the seal that was given to go on after';
    await tamper(`UPDATE audit_seal SET digest = sha256('') WHERE number = 3`);
    await expectMismatch(undefined, problem, '--after', head);
    expect((await runCli(['audit', 'verify', '--after', 'x'], {})).code).to.equal(64);
  });

  it('match where a vault of an earlier version has sealed, also rows that it does not know all columns of', async () => {
    await threeRanges();
    const provider = await openLocalFileKeyProvider(fixture.ground.env['KEY_FILE'] ?? '');
    const stored = await readAuditKey(postgres);
    if (stored === undefined) throw new Error('nothing is sealed');
    const key = await unwrapAuditKey(provider, stored);
    const before = await lastSeal(postgres);
    await fixture.token('a');
    const [range] = await fixture.sql<{ last: string; count: string; newest: string; digest: Buffer }>(
      `SELECT max(id) AS last, count(*) AS count, (extract(epoch FROM max(at)) * 1000000)::bigint AS newest,
              sha256(string_agg(sha256(convert_to(jsonb_build_array(
                id, (extract(epoch FROM at) * 1000000)::bigint, tenant_id, application_id, operation, token_id, outcome,
                reason, view, purpose, purpose_id, correlation_id)::text, 'UTF8')), ''::bytea ORDER BY id)) AS digest
         FROM audit WHERE id > $1`,
      [before.lastId],
    );
    if (range === undefined) throw new Error('there are no rows');
    const { last, count, newest, digest } = range;
    const number = String(Number(before.number) + 1);
    const parts = [number, before.lastId, last, count, newest, digest.toString('hex')];
    const seal = createHmac('sha256', key)
      .update(lengthPrefixed('glovebox/audit-seal', before.digest.toString('hex'), ...parts))
      .digest();
    await fixture.sql(
      `INSERT INTO audit_seal (number, after_id, last_id, row_count, newest_at, rows_digest, digest)
       VALUES ($1, $2, $3, $4, 'epoch'::timestamptz + $5::bigint * interval '1 microsecond', $6, $7)`,
      [number, before.lastId, last, count, newest, digest, seal],
    );
    await add();
    await seals.seal();
    expect(await verify()).to.include({ code: 0, intact: true, ranges: 5 });
    await tamper(`UPDATE audit_seal SET format = 1 WHERE number = 5`);
    await expectMismatch('5', 'its seal was changed');
  });

  it('show an earlier state of a token that was brought back, also with a record of it, and a token that was removed', async () => {
    const { gateway, owner } = fixture;
    const ids = [await fixture.token('a'), await fixture.token('b'), await fixture.token('c')];
    const [back, gone, again] = ids as [string, string, string];
    await fixture.sql('CREATE TABLE kept AS SELECT * FROM token');
    await gateway.update(owner, back, { metadata: { a: '1' } });
    await gateway.delete(owner, again);
    await seals.seal();
    expect(await verify()).to.include({ code: 0, intact: true, tokens_compared: 3 });

    await fixture.sql('DELETE FROM token WHERE id = $1', [gone]);
    const problemWith = async () => (await verify()).first_mismatch;
    const place = (token_id: string) => ({ tenant_id: fixture.tenantId, token_id });
    expect(await problemWith()).to.deep.equal({
      ...place(gone),
      problem: 'the token was removed without a record',
    });
    await fixture.sql('INSERT INTO token SELECT * FROM kept WHERE id = $1', [gone]);
    await fixture.sql('INSERT INTO token SELECT * FROM kept WHERE id = $1', [again]);
    expect(await problemWith()).to.deep.equal({
      ...place(again),
      problem: 'the token was deleted, and is there again',
    });
    await gateway.delete(owner, again);

    await fixture.sql('DELETE FROM token WHERE id = $1', [back]);
    await fixture.sql('INSERT INTO token SELECT * FROM kept WHERE id = $1', [back]);
    // The row is one that the vault wrote: a read cannot tell.
    expect((await gateway.get(owner, back))['metadata']).to.equal(undefined);
    expect(await problemWith()).to.deep.equal({
      ...place(back),
      problem: 'the token is not of the revision that was recorded last',
    });
    await fixture.sql(
      `INSERT INTO audit (tenant_id, operation, token_id, outcome, revision)
       SELECT tenant_id, 'update', id, 'allowed', revision FROM kept WHERE id = $1`,
      [back],
    );
    await seals.seal();
    expect(await problemWith()).to.deep.equal({
      ...place(back),
      problem: 'a revision of the token was recorded twice',
    });
  });

  it('show a key of a client that was removed without a record, and one that was brought back', async () => {
    const { gateway } = fixture;
    const maker = await fixture.application(['keys:create', 'keys:delete']);
    const make = async () => String((await gateway.createKey(maker))['id']);
    const [gone, again] = [await make(), await make()];
    await fixture.sql('CREATE TABLE kept AS SELECT * FROM client_key');
    await gateway.deleteKey(maker, again);
    await seals.seal();
    expect(await verify()).to.include({ code: 0, intact: true, client_keys_compared: 2 });

    const problemWith = async () => (await verify()).first_mismatch;
    const place = (key_id: string) => ({ tenant_id: fixture.tenantId, key_id });
    await fixture.sql('DELETE FROM client_key WHERE id = $1', [gone]);
    expect(await problemWith()).to.deep.equal({
      ...place(gone),
      problem: 'the key was removed without a record',
    });
    await fixture.sql('INSERT INTO client_key SELECT * FROM kept');
    expect(await problemWith()).to.deep.equal({
      ...place(again),
      problem: 'the key was deleted, and is there again',
    });
  });

  it('match after what is too old was removed, by whole ranges of a day', async () => {
    for (const days of [40, 40, 35, 31, 2]) await add(`now() - interval '${days} days'`);
    await seals.seal();
    await seals.purge(new Date(Date.now() - 30 * 86_400_000));
    const rows = await fixture.sql('SELECT id FROM audit');
    expect(rows).to.have.length(1);
    expect(await verify()).to.include({ code: 0, intact: true, ranges: 4, purged_ranges: 3, rows: 1 });
    await tamper(
      `INSERT INTO audit (id, tenant_id, operation, outcome) OVERRIDING SYSTEM VALUE
       VALUES (2, gen_random_uuid(), 'read', 'allowed')`,
    );
    await expectMismatch('1', 'rows were inserted');
  });

  it('wait for rows whose transaction commits late, and never leave one out', async () => {
    await withClient(fixture.ground.databaseUrl, async (late) => {
      await late.query('BEGIN');
      await late.query(
        `INSERT INTO audit (tenant_id, operation, outcome) VALUES (gen_random_uuid(), 'read', 'allowed')`,
      );
      await add();
      const sealing = seals.seal();
      // Transactions that begin later are not waited for.
      await withClient(fixture.ground.databaseUrl, async (later) => {
        await later.query('BEGIN');
        await until(async () => {
          const [row] = await fixture.sql<{ looked: boolean }>(
            `SELECT count(*) > 0 AS looked FROM pg_stat_activity WHERE query LIKE '%virtualtransaction%pg_locks%'
                AND datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'test'`,
          );
          return row?.looked === true;
        });
        await later.query(
          `INSERT INTO audit (tenant_id, operation, outcome) VALUES (gen_random_uuid(), 'read', 'allowed')`,
        );
        expect(await fixture.sql('SELECT * FROM audit_seal')).to.deep.equal([]);
        await late.query('COMMIT');
        await sealing;
        expect(await fixture.sql('SELECT last_id, row_count FROM audit_seal')).to.deep.equal([
          { last_id: '2', row_count: 2 },
        ]);
        await later.query('COMMIT');
      });
    });
    await seals.seal();
    expect(await verify()).to.include({ code: 0, rows: 3, unsealed_rows: 0 });
  });

  it('are made by one of several vaults at a time, while they write, and match', async () => {
    await using _ = await fixture.anotherVault({ AUDIT_SEAL_INTERVAL_MS: '5' });
    await using __ = await fixture.anotherVault({ AUDIT_SEAL_INTERVAL_MS: '5' });
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let count = 0; count < 15; count += 1) await fixture.token('x');
      }),
    );
    await until(async () => {
      const [row] = await fixture.sql<{ sealed: boolean }>(
        'SELECT (SELECT max(last_id) FROM audit_seal) = (SELECT max(id) FROM audit) AS sealed',
      );
      return row?.sealed === true;
    });
    const verdict = await verify();
    expect(verdict).to.include({ code: 0, intact: true, rows: 90, unsealed_rows: 0 });
    expect(verdict.ranges).to.be.above(1);
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
