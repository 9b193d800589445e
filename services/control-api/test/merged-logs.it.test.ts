import { randomUUID } from 'node:crypto';

import { createPostgres } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import type { LogEntry, LogFilter } from '../src/audit/log-entry.ts';
import { defaultInputLimits } from '../src/limits/input-limits.ts';
import { listLogs } from '../src/operations/logs/list-logs.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import type { Logs } from './harness/logs.ts';
import { inDatabase } from './harness/stores.ts';

describe('two logs as one', () => {
  let api: TestApi;
  before(async () => {
    api = await startTestApi();
  });
  after(() => api[Symbol.asyncDispose]());

  /** The vault's log, from memory: what is tested is how two are put together. */
  const auditOf = (events: readonly LogEntry[]) => ({
    list: async (filter: LogFilter, after: { at: number; id: number }, limit: number) => {
      const isBehind = (event: LogEntry) =>
        event.at < after.at || (event.at === after.at && event.id < after.id);
      const within = (event: LogEntry) =>
        event.at >= filter.from &&
        event.at < filter.to &&
        (filter.outcome ?? event.outcome) === event.outcome &&
        (filter.actorId ?? event.actorId) === event.actorId &&
        (filter.operation ?? event.operation) === event.operation &&
        (filter.destination ?? event.destination) === event.destination &&
        (filter.traceId ?? event.traceId) === event.traceId;
      return events.filter((event) => isBehind(event) && within(event)).slice(0, limit);
    },
    count: async () => events.length,
  });

  it('lose and repeat nothing over all pages, by number and by cursor, where moments coincide', async () => {
    const tenantId = randomUUID();
    const url = api.config.databaseUrl.reveal();
    await inDatabase(
      url,
      `INSERT INTO logs (at, tenant_id, operation, entity_type, entity_id)
       SELECT '2026-01-01'::timestamptz + (n / 4) * interval '1 microsecond', '${tenantId}', 'create', 'proxy', 'c' || n
         FROM generate_series(1, 60) n`,
    );
    const start = Date.parse('2026-01-01T00:00:00Z') * 1000;
    const audit = Array.from({ length: 75 }, (_, index): LogEntry => {
      const n = 75 - index;
      const event = { source: 'vault', entityType: 'token', entityId: `v${n}`, operation: 'read' } as const;
      const outcome = n % 3 === 0 ? 'denied' : 'allowed';
      return {
        ...event,
        outcome,
        at: start + Math.floor(n / 5),
        id: n,
        actorId: undefined,
        actorType: 'system',
      };
    });
    await using postgres = createPostgres({
      url: api.config.databaseUrl,
      maxConnections: 2,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
    const dependencies = {
      postgres: postgres.acrossTenants('test'),
      audit: auditOf(audit),
      inputLimits: defaultInputLimits,
    };
    const ask = async (query: string) => {
      const call = { principal: { tenantId }, query: new URLSearchParams(query), correlationId: '' };
      return (await listLogs(dependencies, call as never)).body as unknown as Logs;
    };
    const whole = (await ask('size=1000')).data.map(({ entity_id }) => entity_id);
    expect(whole).to.have.length(135);
    expect(new Set(whole)).to.have.property('size', 135);
    for (const size of [1, 7, 20, 134, 135]) {
      const numbered: string[] = [];
      for (let page = 1; (page - 1) * size < 135; page += 1) {
        const { data, pagination } = await ask(`page=${page}&size=${size}`);
        numbered.push(...data.map(({ entity_id }) => entity_id));
        expect(pagination.total_items).to.equal(135);
        expect(pagination.next === undefined).to.equal(numbered.length === 135);
        expect(pagination.after).to.equal(pagination.next);
      }
      expect(numbered).to.deep.equal(whole);
      const { data, pagination } = await ask(`size=${size}`);
      const seen = data.map(({ entity_id }) => entity_id);
      for (let next = pagination.next; next !== undefined;) {
        const part = await ask(`size=${size}&start=${next}`);
        expect(part.pagination).to.not.have.property('total_items');
        seen.push(...part.data.map(({ entity_id }) => entity_id));
        next = part.pagination.next;
      }
      expect(seen).to.deep.equal(whole);
    }
    expect((await ask('page=99&size=100')).data).to.deep.equal([]);
    const denied = (await ask('size=1000&outcome=denied')).data;
    expect(denied).to.have.length(25);
    for (const { outcome, message } of denied) {
      expect([outcome, message]).to.deep.equal(['denied', 'Token not retrieved']);
    }
    expect((await ask('size=1000&outcome=allowed')).data).to.have.length(110);
  });

  it('are filtered by actor, operation, trace id and destination, and by cursor lose and repeat nothing', async () => {
    const tenantId = randomUUID();
    const [one, other] = [randomUUID(), randomUUID()];
    await inDatabase(
      api.config.databaseUrl.reveal(),
      `INSERT INTO logs (at, tenant_id, actor_id, operation, entity_type, entity_id, trace_id)
       SELECT '2026-01-01'::timestamptz + (n / 4) * interval '1 microsecond', '${tenantId}',
              CASE WHEN n % 2 = 0 THEN '${one}'::uuid ELSE '${other}'::uuid END,
              CASE WHEN n % 3 = 0 THEN 'create' ELSE 'update' END, 'proxy', 'c' || n, 'trace-' || n % 5
         FROM generate_series(1, 60) n`,
    );
    const start = Date.parse('2026-01-01T00:00:00Z') * 1000;
    const audit = Array.from({ length: 60 }, (_, index): LogEntry => {
      const n = 60 - index;
      return {
        ...{ source: 'vault', at: start + Math.floor(n / 5), id: n, actorType: 'application' },
        ...{ entityType: 'token', entityId: `v${n}`, outcome: 'allowed' },
        actorId: n % 2 === 0 ? one : other,
        operation: n % 3 === 0 ? 'create' : 'use',
        traceId: `trace-${n % 5}`,
        ...(n % 4 === 0 ? { destination: 'a.example:443' } : {}),
      };
    });
    await using postgres = createPostgres({
      url: api.config.databaseUrl,
      maxConnections: 2,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
    const dependencies = {
      postgres: postgres.acrossTenants('test'),
      audit: auditOf(audit),
      inputLimits: defaultInputLimits,
    };
    const ask = async (query: string) => {
      const call = { principal: { tenantId }, query: new URLSearchParams(query), correlationId: '' };
      return (await listLogs(dependencies, call as never)).body as unknown as Logs;
    };
    const all = [
      ...Array.from({ length: 60 }, (_, i) => `c${i + 1}`),
      ...audit.map(({ entityId }) => entityId),
    ];
    const number = (id: string) => Number(id.slice(1));
    const cases: [string, (id: string) => boolean][] = [
      [`actor_id=${one.toUpperCase()}`, (id) => number(id) % 2 === 0],
      ['operation=create', (id) => number(id) % 3 === 0],
      ['operation=use', (id) => id.startsWith('v') && number(id) % 3 !== 0],
      ['trace_id=trace-2', (id) => number(id) % 5 === 2],
      ['destination=A.example', (id) => id.startsWith('v') && number(id) % 4 === 0],
      ['destination=a.example:8443', () => false],
      [
        `operation=create&actor_id=${other}&trace_id=trace-3`,
        (id) => number(id) % 6 === 3 && number(id) % 5 === 3,
      ],
    ];
    for (const [query, belongs] of cases) {
      const seen: string[] = [];
      let page = await ask(`${query}&size=4`);
      for (;;) {
        seen.push(...page.data.map(({ entity_id }) => entity_id));
        if (page.pagination.next === undefined) break;
        page = await ask(`${query}&size=4&start=${page.pagination.next}`);
      }
      expect(seen.toSorted(), query).to.deep.equal(all.filter(belongs).toSorted());
    }
    const wrong = await ask('actor_id=x&destination=https://a.example/').then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(wrong).to.have.property('errors').that.has.all.keys('actor_id', 'destination');
  });

  it('are not read to their depths by the number of a page', async () => {
    const audit = { list: async () => [], count: async () => 100_000 };
    const postgres = { query: async () => [] };
    const dependencies = { postgres: postgres as never, audit, inputLimits: defaultInputLimits };
    const ask = (query: string) =>
      listLogs(dependencies, {
        principal: { tenantId: randomUUID() },
        query: new URLSearchParams(query),
        correlationId: '',
      } as never);
    const failure = await ask('page=501&size=100').then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(AppError).and.to.have.property('code', 'invalid_argument');
    expect((await ask('page=500&size=100')).status).to.equal(200);
    expect((await ask('page=2147483647')).status).to.equal(200);
  });
});
