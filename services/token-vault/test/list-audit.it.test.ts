import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { type AuditEvent, type ListAuditRequest, VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { redisNames } from '@glovebox/published/keys';
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

  it('lists requests that an egress policy does not allow, each with an event', async () => {
    const { publisher, tenantId, owner, vault } = fixture;
    await publisher.webhook(tenantId, ['egress.violation']);
    const proxyId: string = randomUUID();
    const report = {
      tenantId,
      subjectType: 'proxy',
      subjectId: proxyId,
      destination: 'api.example.com:443',
      reason: 'egress_policy',
      denied: true,
      count: 3,
      applicationId: owner.id,
      correlationId: 'c-1',
    };
    const send = (changed: Partial<typeof report>, peer: 'proxy-gateway' | 'control-api' = 'proxy-gateway') =>
      vault
        .as(peer)
        .unary(
          VaultServiceService.reportEgress,
          { ...report, ...changed },
          { deadline: Date.now() + 10_000 },
        );
    await send({});
    await send({ subjectId: '', reason: 'ephemeral_proxy', denied: false, applicationId: '', count: 1 });
    const own = {
      entityType: 'egress',
      operation: 'egress',
      purpose: 'proxy',
    };
    const { events, total } = await list({ entityType: 'egress', outcome: 'any' });
    expect(total).to.equal(2);
    expect((await list({ operation: 'egress', outcome: 'any' })).events).to.deep.equal(events);
    expect(events.map(told)).to.deep.equal([
      { ...own, actorId: '', entityId: '', purposeId: '' },
      { ...own, actorId: owner.id, entityId: proxyId, purposeId: proxyId },
    ]);
    expect(events.map(({ destination }) => destination)).to.deep.equal(Array(2).fill('api.example.com:443'));
    expect(events.map(({ outcome, reason }) => [outcome, reason])).to.deep.equal([
      ['allowed', 'ephemeral_proxy'],
      ['denied', 'egress_policy'],
    ]);
    expect(events.map(({ count }) => count)).to.deep.equal([undefined, 3]);
    const ofProxy = await list({ entityId: proxyId, outcome: 'any' });
    expect(ofProxy.events.map(({ entityId }) => entityId)).to.deep.equal([proxyId]);

    const stored = await fixture.sql<{ event: string }>('SELECT event FROM event_outbox ORDER BY id');
    const inbox = await publisher.redis.lrange(redisNames(publisher.prefix).events, 0, -1);
    const emitted = [...stored.map(({ event }) => event), ...inbox].find((text) => text.includes(proxyId));
    expect(JSON.parse(emitted ?? '{}')).to.deep.include({
      type: 'egress.violation',
      trace_id: 'c-1',
      data: {
        subject: { type: 'proxy', id: proxyId },
        destination: 'api.example.com:443',
        outcome: 'denied',
        reason: 'egress_policy',
        count: 3,
        actor: { id: owner.id, type: 'application' },
      },
    });

    for (const wrong of [
      { destination: 'a b' },
      { destination: '4111111111111111\n' },
      { reason: 'mine' },
      { subjectType: 'token' },
      { count: 0 },
    ]) {
      expect((await failureOf(send(wrong))).code).to.equal('invalid_argument');
    }
    await failureOf(send({}, 'control-api'));
  });

  it('lists answers that held a value which was filled in', async () => {
    const { tenantId, owner, vault } = fixture;
    const proxyId: string = randomUUID();
    const report = {
      tenantId,
      subjectType: 'proxy',
      subjectId: proxyId,
      destination: 'api.example.com:443',
      mode: 'refuse',
      count: 3,
      applicationId: owner.id,
      correlationId: 'leak-1',
    };
    const send = (changed: Partial<typeof report>, peer: 'proxy-gateway' | 'control-api' = 'proxy-gateway') =>
      vault
        .as(peer)
        .unary(VaultServiceService.reportLeak, { ...report, ...changed }, { deadline: Date.now() + 10_000 });
    const ofReactor = { subjectType: 'reactor', subjectId: '', destination: '', applicationId: '', count: 1 };
    await send({});
    await send({ ...ofReactor, mode: 'report' });
    const { events, total } = await list({ entityType: 'leak', outcome: 'any' });
    const own = { entityType: 'leak', operation: 'leak' };
    expect(total).to.equal(2);
    expect(events.map(told)).to.deep.equal([
      { ...own, actorId: '', entityId: '', purpose: 'reactor', purposeId: '' },
      { ...own, actorId: owner.id, entityId: proxyId, purpose: 'proxy', purposeId: proxyId },
    ]);
    expect(
      events.map(({ outcome, reason, destination, count }) => [outcome, reason, destination, count]),
    ).to.deep.equal([
      ['allowed', 'report', '', undefined],
      ['denied', 'refuse', 'api.example.com:443', 3],
    ]);
    for (const filter of [
      { entityId: proxyId },
      { operation: 'leak', actorId: owner.id },
      { traceId: 'leak-1' },
    ]) {
      const found = await list({ ...filter, outcome: 'any' });
      expect(found.events.map(told), JSON.stringify(filter)).to.deep.include(told(events[1]!));
    }

    for (const wrong of [
      { tenantId: 'mine' },
      { subjectType: 'webhook' },
      { subjectId: '4111111111111111' },
      { destination: '4111 1111' },
      { mode: 'off' },
      { count: 0 },
      { applicationId: 'x' },
    ]) {
      expect((await failureOf(send(wrong))).code, JSON.stringify(wrong)).to.equal('invalid_argument');
    }
    await failureOf(send({}, 'control-api'));
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

  it('is kept for as long as its operator says, and cannot be changed', async () => {
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

  it('is found by actor, operation, destination and trace id, alone and together', async () => {
    const tenantId = await fixture.publisher.tenant();
    const [one, other] = [randomUUID(), randomUUID()];
    await fixture.sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, destination, correlation_id, purpose,
                          purpose_id, at)
       VALUES ($1, $2, 'use', 't1', 'allowed', 'a.example:443', 'trace-1', NULL, NULL, now()),
              ($1, $2, 'use', 't2', 'denied', 'b.example:443', 'trace-1', NULL, NULL, now() - interval '1 second'),
              ($1, $3, 'use', 't1', 'allowed', 'a.example:443', 'trace-2', NULL, NULL, now() - interval '2 seconds'),
              ($1, $3, 'create', 't1', 'allowed', NULL, 'trace-3', NULL, NULL, now() - interval '3 seconds'),
              ($1, $3, 'create_session', NULL, 'allowed', NULL, NULL, 'session', 's1', now() - interval '4 seconds'),
              ($1, $3, 'create_key', NULL, 'allowed', NULL, NULL, 'key', 'k1', now() - interval '5 seconds')`,
      [tenantId, one, other],
    );
    const cases: [Partial<ListAuditRequest>, string[]][] = [
      [{}, ['t1', 't2', 't1', 't1', 's1', 'k1']],
      [{ actorId: one }, ['t1', 't2']],
      [{ operation: 'use' }, ['t1', 't2', 't1']],
      [{ operation: 'create' }, ['t1', 's1', 'k1']],
      [{ operation: 'create', entityType: 'key' }, ['k1']],
      [{ operation: 'create', entityId: 's1' }, ['s1']],
      [{ operation: 'create_session' }, []],
      [{ destination: 'a.example:443' }, ['t1', 't1']],
      [{ destination: 'a.example:443', actorId: other }, ['t1']],
      [{ traceId: 'trace-1' }, ['t1', 't2']],
      [{ traceId: 'trace-1', outcome: 'denied' }, ['t2']],
      [{ traceId: 'trace-1', operation: 'use', actorId: one, destination: 'b.example:443' }, ['t2']],
      [{ traceId: 'TRACE-1' }, []],
      [{ destination: "' OR true --" }, []],
    ];
    for (const [wish, expected] of cases) {
      const { events, total } = await list({ tenantId, outcome: 'any', ...wish });
      expect(
        events.map(({ entityId }) => entityId),
        JSON.stringify(wish),
      ).to.deep.equal(expected);
      expect(total, JSON.stringify(wish)).to.equal(expected.length);
    }
    const wrong = await failureOf(list({ tenantId, actorId: 'no-uuid', traceId: 'x'.repeat(500) }));
    expect(Object.keys(wrong.errors)).to.deep.equal(['actor_id', 'trace_id']);
  });

  it('is found without looking at what is not asked for', async () => {
    const tenantId = await fixture.publisher.tenant();
    const rare = randomUUID();
    await fixture.sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, at)
       SELECT CASE WHEN n % 2 = 0 THEN $1::uuid ELSE gen_random_uuid() END, $2, 'read', 't' || n, 'allowed',
              now() - n * interval '1 second' FROM generate_series(1, 20000) n`,
      [tenantId, randomUUID()],
    );
    await fixture.sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, destination, correlation_id, at)
       SELECT $1, $2, 'delete', 't' || n, 'allowed', 'rare.example:443', 'rare', now() - interval '9 hours'
         FROM generate_series(1, 5) n`,
      [tenantId, rare],
    );
    await fixture.sql('ANALYZE audit');
    const client = new pg.Client({
      connectionString: fixture.ground.env['DATABASE_URL'],
      options: `-c enable_seqscan=off -c glovebox.tenants={${tenantId}}`,
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
      { entityType: 'leak' },
      { entityType: 'leak', entityId: rare },
      { outcome: 'allowed' },
      { outcome: 'denied' },
      { outcome: 'denied', entityId: 't2' },
      { actorId: rare },
      { operation: 'delete' },
      { operation: 'read' },
      { operation: 'no such' },
      { destination: 'rare.example:443' },
      { traceId: 'rare' },
      { actorId: rare, operation: 'delete', destination: 'rare.example:443', traceId: 'rare' },
    ] as const) {
      expect(await rowsRead(selection), JSON.stringify(selection)).to.be.at.most(20);
    }
    await client.end();
  });

  it('begins at any place without a look at what is newer', async () => {
    const tenantId = await fixture.publisher.tenant();
    await fixture.sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, at)
       SELECT $1, $1, 'read', 't' || n, 'allowed', now() - n * interval '1 second' FROM generate_series(1, 20000) n`,
      [tenantId],
    );
    await fixture.sql('VACUUM ANALYZE audit');
    const client = new pg.Client({
      connectionString: fixture.ground.env['DATABASE_URL'],
      options: `-c enable_seqscan=off -c glovebox.tenants={${tenantId}}`,
    });
    await client.connect();
    const pagesRead = async (secondsAgo: number) => {
      let pages = 0;
      const query = async (_name: string, statement: string, values: readonly unknown[] = []) => {
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
          [...values],
        );
        const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
        pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
        return [];
      };
      const all = { entityType: undefined, entityId: undefined, outcome: undefined };
      const place = { at: (Date.now() - secondsAgo * 1000) * 1000, id: 0 };
      await selectEvents({ query, queryOnce: query }, { tenantId, ...all, from: 0, to: 9e15 }, place, 20);
      return pages;
    };
    for (const secondsAgo of [0, 10_000, 19_900])
      expect(await pagesRead(secondsAgo), `${secondsAgo}`).to.be.within(1, 25);
    await client.end();
  });
});
