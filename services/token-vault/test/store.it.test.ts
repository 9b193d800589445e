import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { migrate } from '@glovebox/platform/db/migrate';
import { type Postgres, createPostgres } from '@glovebox/platform/db/postgres';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { type AuditEntry, recordDecisions } from '../src/store/audit-log.ts';
import { freeExpiredIds } from '../src/store/purge-expired.ts';
import type { TokenRow } from '../src/store/token-row.ts';
import { type NewToken, type TokenKey, deleteRow, insertRows, selectRows } from '../src/store/token-rows.ts';
import { failureOf } from './harness/failure.ts';
import { createDatabase } from './harness/servers.ts';

let revisions = 0;

function newToken(changes: Partial<NewToken> = {}): NewToken {
  return {
    tenantId: randomUUID(),
    id: randomUUID(),
    revision: String((revisions += 1)),
    type: 'token',
    container: '/general/high/',
    sealedData: Buffer.from([0, 1, 254, 255]),
    mask: null,
    metadata: null,
    fingerprint: null,
    fingerprintExpression: null,
    searchIndexes: [],
    searchHashes: [],
    encryption: null,
    expiresAt: null,
    expiresAtText: null,
    cvcExpiresAt: null,
    createdBy: randomUUID(),
    createdAt: new Date('2026-11-21T10:00:00.123Z'),
    tag: null,
    ...changes,
  };
}

describe('the store', () => {
  let postgres: Postgres;

  before(async () => {
    const url = new Secret(await createDatabase());
    await migrate(url, fileURLToPath(new URL('../migrations', import.meta.url)));
    postgres = createPostgres({
      url,
      maxConnections: 4,
      statementTimeoutMs: 5000,
      connectTimeoutMs: 2000,
      applicationName: 'store-test',
      onError: () => undefined,
    });
  });
  after(() => postgres[Symbol.asyncDispose]());

  const read = async (keys: readonly TokenKey[]) => (await selectRows(postgres, keys, 1_000_000)) ?? [];

  describe('token rows', () => {
    it('reads nothing when there is too much', async () => {
      const tokens = [1, 2, 3].map(() => newToken({ sealedData: Buffer.alloc(100_000) }));
      await insertRows(postgres, tokens);
      expect(await selectRows(postgres, tokens, 299_999)).to.equal(undefined);
      expect(await selectRows(postgres, tokens, 300_000)).to.have.length(3);
    });

    it('gives back every field as it was inserted', async () => {
      const token = newToken({
        id: `an id with "quotes", {braces} \\ and 'more' ü 🗝`.replaceAll(/[{}\\]/g, ''),
        mask: { zulu: '{{ data.z }}', alpha: [1, null, 'x'] },
        metadata: { k: 'v "quoted" \\ 🗝' },
        fingerprint: 'abc',
        fingerprintExpression: '{{ data | stringify }}',
        searchIndexes: ['{{ data }}', '{{ data | last4 }}'],
        searchHashes: [Buffer.from([1, 0]), Buffer.from([255])],
        encryption: { cek: { key: 'k' } },
        expiresAt: new Date('2036-01-01T00:00:00Z'),
        expiresAtText: '2036-01-01T02:00:00+02:00',
        cvcExpiresAt: new Date('2026-11-21T11:00:00Z'),
        tag: Buffer.from([7, 0, 7]),
      });
      await insertRows(postgres, [token]);
      const rows = await read([token]);
      const row = rows[0] as TokenRow;
      expect(row).to.deep.equal({ ...token, modifiedBy: null, modifiedAt: null });
      expect(JSON.stringify(row.mask)).to.equal(JSON.stringify(token.mask));
    });

    it('stores what is absent as absent', async () => {
      const token = newToken();
      await insertRows(postgres, [token]);
      const counted = await postgres.query<{ nulls: number }>(
        'nulls',
        'SELECT num_nulls(mask, metadata, encryption, fingerprint, expires_at) AS nulls FROM token WHERE id = $1',
        [token.id],
      );
      expect(counted).to.deep.equal([{ nulls: 5 }]);
    });

    it('finds the rows of several tenants at once, and no tenant finds the row of another', async () => {
      const mine = newToken();
      const other = newToken({ id: mine.id });
      await insertRows(postgres, [mine, other]);
      const rows = await read([mine, other, { tenantId: randomUUID(), id: mine.id }]);
      expect(rows.map(({ tenantId }) => tenantId)).to.have.members([mine.tenantId, other.tenantId]);
    });

    it('inserts all or none, and says conflict when an id is taken', async () => {
      const taken = newToken();
      await insertRows(postgres, [taken]);
      const fresh = newToken({ tenantId: taken.tenantId });
      const failure = await failureOf(
        insertRows(postgres, [fresh, newToken({ tenantId: taken.tenantId, id: taken.id })]),
      );
      expect(failure.code).to.equal('conflict');
      expect(await read([fresh])).to.deep.equal([]);
    });

    it('lets an expired row make room, with another revision', async () => {
      const expired = newToken({ expiresAt: new Date(Date.now() - 1000), expiresAtText: 'then' });
      await insertRows(postgres, [expired]);
      const [before] = await read([expired]);
      await freeExpiredIds(postgres, expired.tenantId, [expired.id]);
      await insertRows(postgres, [newToken({ tenantId: expired.tenantId, id: expired.id })]);
      const recorded = await postgres.query(
        'audit-of-room',
        'SELECT operation, token_id, outcome, purpose FROM audit WHERE tenant_id = $1',
        [expired.tenantId],
      );
      expect(recorded).to.deep.equal([
        { operation: 'delete', token_id: expired.id, outcome: 'allowed', purpose: 'expired' },
      ]);
      const [after] = await read([expired]);
      expect(after?.expiresAt).to.equal(null);
      expect(after?.revision).not.to.equal(before?.revision);
    });
  });

  describe('the audit log', () => {
    const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
      tenantId: randomUUID(),
      applicationId: randomUUID(),
      operation: 'use',
      tokenId: 'some token',
      outcome: 'allowed',
      reason: null,
      view: 'reveal',
      purpose: 'proxy',
      purposeId: 'p-1',
      correlationId: 'c-1',
      rule: 1,
      destination: 'echo.example:443',
      clientAddress: '203.0.113.7',
      cachedRevision: null,
      revision: null,
      ...changes,
    });
    const written = (tenantId: string) =>
      postgres.query('audit-of', 'SELECT * FROM audit WHERE tenant_id = $1 ORDER BY id', [tenantId]);

    async function cachedToken(): Promise<TokenRow> {
      const token = newToken();
      await insertRows(postgres, [token]);
      return (await read([token]))[0] as TokenRow;
    }

    it('writes each entry once, in order', async () => {
      const { tenantId } = entry();
      const entries = ['a', 'b, {"c"}', null].map((tokenId) => entry({ tenantId, tokenId }));
      expect(await recordDecisions(postgres, entries)).to.deep.equal([]);
      const rows = await written(tenantId);
      expect(rows.map((row) => (row as { token_id: string }).token_id)).to.deep.equal([
        'a',
        'b, {"c"}',
        null,
      ]);
    });

    it('accepts a cached row that is as it was', async () => {
      const row = await cachedToken();
      const entries = [entry({ tenantId: row.tenantId, tokenId: row.id, cachedRevision: row.revision })];
      expect(await recordDecisions(postgres, entries)).to.deep.equal([]);
      expect(await written(row.tenantId)).to.have.length(1);
    });

    it('names the cached rows that were deleted, changed or made anew, and then writes nothing', async () => {
      const [same, deleted, changed, anew] = await Promise.all([1, 2, 3, 4].map(cachedToken));
      if (!same || !deleted || !changed || !anew) throw new Error('missing');
      await deleteRow(postgres, deleted);
      await postgres.query('touch', `UPDATE token SET revision = nextval('token_revision') WHERE id = $1`, [
        changed.id,
      ]);
      await deleteRow(postgres, anew);
      await insertRows(postgres, [newToken({ tenantId: anew.tenantId, id: anew.id })]);
      const entries = [same, deleted, changed, anew].map((row) =>
        entry({ tenantId: row.tenantId, tokenId: row.id, cachedRevision: row.revision }),
      );
      expect(await recordDecisions(postgres, entries)).to.have.members([1, 2, 3]);
      for (const row of [same, deleted, changed, anew]) expect(await written(row.tenantId)).to.deep.equal([]);
    });

    it('cannot be changed afterwards', async () => {
      for (const statement of [
        `UPDATE audit SET outcome = 'denied'`,
        'DELETE FROM audit',
        'TRUNCATE audit',
      ]) {
        const failure = await failureOf(postgres.query(statement, statement));
        expect((failure.cause as Error).message).to.equal('audit rows are append-only');
      }
    });
  });
});
