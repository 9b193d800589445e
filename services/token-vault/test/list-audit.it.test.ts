import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { type AuditEvent, type ListAuditRequest, VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';
import pg from 'pg';

import { type AuditSelection, selectEvents } from '../src/store/audit-events.ts';
import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';

describe('the audit log, as its tenant reads it', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const everything: ListAuditRequest = {
    tenantId: '',
    entityType: '',
    entityId: '',
    fromMicros: 0,
    toMicros: 0,
    after: undefined,
    limit: 1000,
    count: true,
    outcome: '',
  };
  const list = (
    wish: Partial<ListAuditRequest> = {},
    peer: Parameters<Fixture['vault']['as']>[0] = 'control-api',
  ) =>
    fixture.vault
      .as(peer)
      .unary(
        VaultServiceService.listAudit,
        { ...everything, tenantId: fixture.tenantId, ...wish },
        { deadline: Date.now() + 10_000, safe: true, correlationId: 'test' },
      );
  const told = ({ actorId, entityType, entityId, operation, purpose, purposeId }: AuditEvent) => ({
    actorId,
    entityType,
    entityId,
    operation,
    purpose,
    purposeId,
  });

  it('tells who did what with a token, newest first, and not what was refused', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token('secret of the audit');
    await gateway.get(owner, id);
    await gateway.use(owner, [id]);
    await failureOf(gateway.get(await fixture.application(['token:use']), id));
    await gateway.delete(owner, id);
    const { events, total } = await list({ entityId: id });
    const own = { actorId: owner.id, entityType: 'token', entityId: id };
    expect(events.map(told)).to.deep.equal([
      { ...own, operation: 'delete', purpose: '', purposeId: '' },
      { ...own, operation: 'use', purpose: 'proxy', purposeId: events[1]?.purposeId },
      { ...own, operation: 'read', purpose: '', purposeId: '' },
      { ...own, operation: 'create', purpose: '', purposeId: '' },
    ]);
    expect(total).to.equal(4);
    const now = Date.now() * 1000;
    for (const { place } of events) expect(place?.atMicros).to.be.within(now - 60_000_000, now + 1_000_000);
    expect(JSON.stringify(events)).to.not.include('secret of the audit');
  });

  it('tells who made a session and who authorized it', async () => {
    const { publisher, tenantId, owner, gateway } = fixture;
    const maker = await publisher.application({ tenantId, type: 'public', permissions: [] });
    const { session_key, nonce } = await gateway.createSession(maker);
    await gateway.authorizeSession(owner, { nonce, permissions: ['token:use'] });
    const { events, total } = await list({ entityType: 'session' });
    const [authorized, created] = events.map(told);
    expect(total).to.equal(2);
    expect(authorized).to.include({ actorId: owner.id, entityType: 'session', operation: 'authorize' });
    expect(created).to.include({ actorId: maker.id, operation: 'create', entityId: authorized?.entityId });
    expect((await list({ entityId: created?.entityId ?? '' })).events).to.have.length(2);
    const id = await fixture.token(1);
    await gateway.use({ ...owner, key: session_key }, [id]);
    const actors = (await list({ entityId: id })).events.map(({ actorId, actorType }) => [
      actorId,
      actorType,
    ]);
    expect(actors).to.deep.equal([
      [created?.entityId, 'session'],
      [owner.id, 'application'],
    ]);
    expect((await list({ entityId: created?.entityId ?? '', entityType: 'token' })).events).to.deep.equal([]);
  });

  it('is read in parts, without holes or repetitions, also where many events share a moment', async () => {
    const tenantId = await fixture.publisher.tenant();
    await fixture.sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, at)
       SELECT $1, $2, 'read', 't' || n, 'allowed', '2026-01-01T00:00:00.000001Z'::timestamptz + (n / 7) * interval '1 microsecond'
         FROM generate_series(1, 100) n`,
      [tenantId, randomUUID()],
    );
    const seen: string[] = [];
    let after: AuditEvent['place'];
    for (;;) {
      const { events, total } = await list({ tenantId, limit: 9, after });
      expect(total).to.equal(100);
      seen.push(...events.map(({ entityId }) => entityId));
      after = events.at(-1)?.place;
      if (events.length < 9) break;
    }
    expect(seen).to.deep.equal(Array.from({ length: 100 }, (_, n) => `t${100 - n}`));
    const from = Date.parse('2026-01-01T00:00:00Z') * 1000 + 3;
    const span = await list({ tenantId, fromMicros: from, toMicros: from + 1 });
    expect(span.events.map(({ entityId }) => entityId)).to.have.members([
      't14',
      't15',
      't16',
      't17',
      't18',
      't19',
      't20',
    ]);
    expect(span.total).to.equal(7);
    expect((await list({ tenantId, after: { atMicros: from, id: 0 }, limit: 1000 })).events).to.have.length(
      13,
    );
  });

  it('is for control-api alone, and of one tenant at a time', async () => {
    for (const peer of ['proxy-gateway', 'reactor-runner'] as const) {
      expect(String((await failureOf(list({}, peer))).cause)).to.include('PERMISSION_DENIED');
    }
    await fixture.token(1);
    expect((await list({ tenantId: randomUUID() })).events).to.deep.equal([]);
    const wrong = await failureOf(
      list({ tenantId: 'x', entityType: 'card', entityId: '\0', outcome: 'x', limit: 1001 }),
    );
    expect(Object.keys(wrong.errors)).to.have.members([
      'tenant_id',
      'entity_type',
      'entity_id',
      'outcome',
      'limit',
    ]);
  });

  it('is kept for as long as its operator says, and can be changed by nobody', async () => {
    const tenantId = await fixture.publisher.tenant();
    const add = (at: string, id: string) =>
      fixture.sql(
        `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, at)
         VALUES ($1, $2, 'read', $3, 'allowed', ${at})`,
        [tenantId, randomUUID(), id],
      );
    await add(`now() - interval '31 days'`, 'old');
    await add(`now() - interval '29 days'`, 'young');
    const ids = async () => (await list({ tenantId })).events.map(({ entityId }) => entityId);
    expect(await ids()).to.deep.equal(['young', 'old']);
    await using _ = await fixture.anotherVault({ AUDIT_RETENTION_DAYS: '30', PURGE_INTERVAL_MS: '10' });
    while ((await ids()).length > 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await ids()).to.deep.equal(['young']);
    for (const statement of ['DELETE FROM audit', `UPDATE audit SET token_id = 'x'`, 'TRUNCATE audit']) {
      const failure = await fixture.sql(statement).then(
        () => undefined,
        (error: Error) => error.message,
      );
      expect(failure).to.equal('audit rows are append-only');
    }
  });

  it('is found without looking at what is not asked for', async () => {
    const tenantId = await fixture.publisher.tenant();
    await fixture.sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, at)
       SELECT CASE WHEN n % 2 = 0 THEN $1::uuid ELSE gen_random_uuid() END, $2, 'read', 't' || n, 'allowed',
              now() - n * interval '1 second' FROM generate_series(1, 20000) n`,
      [tenantId, randomUUID()],
    );
    await fixture.sql('ANALYZE audit');
    const client = new pg.Client({
      connectionString: fixture.ground.databaseUrl,
      options: '-c enable_seqscan=off',
    });
    await client.connect();
    const rowsRead = async (selection: Partial<AuditSelection>) => {
      let text = '';
      const query = async (_name: string, statement: string, values: readonly unknown[] = []) => {
        const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
          [...values],
        );
        text = JSON.stringify(rows[0]?.['QUERY PLAN']);
        return [];
      };
      const span = {
        ...{ tenantId, entityType: undefined, entityId: undefined, outcome: undefined },
        ...{ from: 0, to: 9e15 },
      };
      await selectEvents(
        { query, queryOnce: query } as Queryable,
        { ...span, ...selection },
        { at: 9e15, id: 0 },
        20,
      );
      return Math.max(
        ...[...text.matchAll(/"(?:Actual Rows|Rows Removed by [A-Za-z ]+)":([0-9.]+)/g)].map((m) =>
          Number(m[1]),
        ),
      );
    };
    for (const selection of [
      {},
      { entityType: 'token' },
      { entityId: 't2' },
      { entityType: 'session' },
      { outcome: 'allowed' },
      { outcome: 'denied' },
      { outcome: 'denied', entityId: 't2' },
    ] as const) {
      expect(await rowsRead(selection), JSON.stringify(selection)).to.be.at.most(20);
    }
    await client.end();
  });
});
