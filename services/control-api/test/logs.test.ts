import { randomUUID } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors';
import { createPostgres } from '@glovebox/platform/postgres';
import { expect } from 'chai';
import fc from 'fast-check';

import { decodeCursor, encodeCursor } from '../src/logs/cursor.ts';
import { listLogs } from '../src/logs/list-logs.ts';
import { type LogEvent, type LogFilter, behind, compare } from '../src/logs/log-event.ts';
import { parseMoment, showMoment } from '../src/logs/moment.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';
import { type TestVault, startVault } from './harness/vault.ts';

interface Log {
  readonly id: string;
  readonly actor_id?: string;
  readonly actor_type: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly operation: string;
  readonly message: string;
  readonly created_at: string;
}

interface Logs {
  readonly pagination: {
    readonly total_items?: number;
    readonly page_size: number;
    readonly next?: string;
    readonly after?: string;
  };
  readonly data: readonly Log[];
}

describe('logs', () => {
  let api: TestApi;
  let vault: TestVault;
  let managerId: string;
  before(async () => {
    const config = await newInstallation();
    vault = await startVault(config);
    api = await startTestApi({}, { ...config, vaultAddress: vault.address });
    managerId = (await api.send('GET /applications/key')).body.id;
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
  });

  const list = async (query = '', key?: string): Promise<Logs> => {
    const answer = await api.send(`GET /logs${query}`, key === undefined ? {} : { key });
    expect(answer.status, answer.text).to.equal(200);
    return answer.body as unknown as Logs;
  };
  const created = async (path: string, body: object): Promise<string> => {
    const answer = await api.send(`POST ${path}`, { body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body.id;
  };
  const told = async (id: string) =>
    (await list(`?entity_id=${id}`)).data.map(
      ({ entity_type, operation, message, actor_id, actor_type }) => ({
        ...{ entity_type, operation, message },
        by: actor_id === managerId ? 'manager' : actor_id,
        actor_type,
      }),
    );
  const by = { by: 'manager', actor_type: 'application' };

  it('hold who created, updated and deleted a proxy, newest first', async () => {
    const body = { name: 'logged', destination_url: 'https://example.com' };
    const id = await created('/proxies', body);
    await api.send(`PUT /proxies/${id}`, { body: { ...body, name: 'still logged' } });
    await api.send(`PATCH /proxies/${id}`, {
      body: { name: 'patched' },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    await api.send(`DELETE /proxies/${id}`);
    expect(await told(id)).to.deep.equal([
      { ...by, entity_type: 'proxy', operation: 'delete', message: 'Proxy deleted' },
      { ...by, entity_type: 'proxy', operation: 'update', message: 'Proxy updated' },
      { ...by, entity_type: 'proxy', operation: 'update', message: 'Proxy updated' },
      { ...by, entity_type: 'proxy', operation: 'create', message: 'Proxy created' },
    ]);
  });

  it('hold what was done with applications and their keys, formulas, reactors, invitations and the tenant', async () => {
    const application = { name: 'a', type: 'private', permissions: ['token:use'] };
    const id = await created('/applications', application);
    await api.send(`POST /applications/${id}/regenerate`);
    const key = (await api.send(`POST /applications/${id}/keys`)).body.id;
    await api.send(`DELETE /applications/${id}/keys/${key}`);
    await api.send(`DELETE /applications/${id}`);
    expect((await told(id)).map(({ message }) => message)).to.deep.equal([
      'Application deleted',
      'Application key deleted',
      'Application key created',
      'Application key regenerated',
      'Application created',
    ]);
    const code = 'module.exports = async () => ({ raw: {} })';
    const formula = { name: 'f', type: 'private', code, configuration: [], request_parameters: [] };
    const formulaId = await created('/reactor-formulas', formula);
    const reactor = { name: 'r', formula: { id: formulaId }, configuration: {} };
    const reactorId = await created('/reactors', reactor);
    await api.send(`DELETE /reactors/${reactorId}`);
    await api.send(`DELETE /reactor-formulas/${formulaId}`);
    expect((await told(reactorId)).map(({ message }) => message)).to.deep.equal([
      'Reactor deleted',
      'Reactor created',
    ]);
    expect((await told(formulaId)).map(({ message }) => message)).to.deep.equal([
      'Reactor Formula deleted',
      'Reactor Formula created',
    ]);
    const invited = (await api.send('POST /tenants/self/invitations', { body: { email: 'a@example.org' } }))
      .body.id;
    await api.send(`POST /tenants/self/invitations/${invited}/resend`);
    await api.send(`DELETE /tenants/self/invitations/${invited}`);
    expect((await told(invited)).map(({ operation }) => operation)).to.deep.equal([
      'delete',
      'update',
      'create',
    ]);
    await api.send('PUT /tenants/self', { body: { name: 'renamed' } });
    const tenant = await told(api.tenant.id);
    expect(tenant[0]).to.deep.equal({
      ...by,
      entity_type: 'tenant',
      operation: 'update',
      message: 'Tenant updated',
    });
    expect(tenant.at(-1)).to.deep.equal({
      entity_type: 'tenant',
      operation: 'create',
      message: 'Tenant created',
      by: undefined,
      actor_type: 'system',
    });
  });

  it('hold nothing of what was refused, or came to nothing', async () => {
    const before = (await list()).pagination.total_items;
    await api.send('POST /proxies', { body: { name: '' } });
    await api.send(`DELETE /proxies/${randomUUID()}`);
    await api.send(`POST /tenants/self/invitations/${randomUUID()}/resend`);
    await api.send('POST /proxies', { key: api.tenant.privateKey, body: {} });
    expect((await list()).pagination.total_items).to.equal(before);
  });

  it('are those of the caller’s tenant, for who may read them', async () => {
    const other = await api.newTenant();
    expect(
      (await list('', other.managementKey)).data.every(({ entity_id }) => entity_id !== api.tenant.id),
    ).to.equal(true);
    expect((await list(`?entity_id=${api.tenant.id}`, other.managementKey)).data).to.deep.equal([]);
    for (const path of ['/logs', '/logs/entity-types']) {
      expect((await api.send(`GET ${path}`, { key: api.tenant.privateKey })).status).to.equal(403);
      expect((await api.send(`GET ${path}`, { key: null })).status).to.equal(401);
      expect((await api.send(`GET ${path}/`)).status).to.equal(200);
      expect((await api.send(`POST ${path}`, { body: {} })).status).to.equal(405);
    }
  });

  it('are filtered by type and by time, to the microsecond', async () => {
    const [first, ...rest] = (await list('?size=100')).data;
    const oldest = rest.at(-1) as Log;
    const ids = async (query: string) => (await list(`?size=100&${query}`)).data.map(({ id }) => id);
    const proxies = (await list('?entity_type=proxy&size=100')).data;
    expect(new Set(proxies.map(({ entity_type }) => entity_type))).to.deep.equal(new Set(['proxy']));
    expect(await ids(`start_date=${first?.created_at}`)).to.deep.equal([first?.id]);
    expect(await ids(`end_date=${first?.created_at}`)).to.deep.equal(rest.map(({ id }) => id));
    expect(await ids(`end_date=${oldest.created_at}`)).to.deep.equal([]);
    expect(await ids('start_date=2100-01-01')).to.deep.equal([]);
    expect(await ids('entity_type=unheard_of')).to.deep.equal([]);
    expect(await ids(`entity_type=proxy&entity_id=${proxies[0]?.entity_id}`)).to.include(proxies[0]?.id);
  });

  for (const query of [
    'size=10001',
    'page=-1',
    'start=x',
    'start_date=yesterday',
    'end_date=2026-02-30',
    'entity_type=a%00',
  ]) {
    it(`refuse ?${query}, naming it`, async () => {
      const { status, body } = await api.send(`GET /logs?${query}`);
      expect(status).to.equal(400);
      expect(Object.keys(body.errors)).to.deep.equal([query.split('=')[0]]);
    });
  }

  it('tell all that is wrong with a question at once', async () => {
    const { body } = await api.send(
      `GET /logs?size=-1&start=%2A&start_date=x&end_date=y&entity_id=${'x'.repeat(401)}`,
    );
    expect(body.errors).to.have.all.keys('size', 'start', 'start_date', 'end_date', 'entity_id');
  });

  it('name the types that there are', async () => {
    const { body } = await api.send('GET /logs/entity-types');
    expect(body).to.deep.include({ display_name: 'Proxy', value: 'proxy' });
    expect(body).to.deep.include({ display_name: 'Token', value: 'token' });
    expect(body).to.have.length(9);
  });

  it('are told to nobody by halves: without the vault they are a 503, and what it does not keep goes on', async () => {
    const config = { ...api.config, vaultAddress: '127.0.0.1:1' };
    await using alone = await startTestApi(undefined, config);
    const { status, body } = await alone.send('GET /logs');
    expect(status).to.equal(503);
    expect(body).to.include({ status: 503 });
    expect((await alone.send('GET /logs?entity_type=token')).status).to.equal(503);
    expect((await alone.send('GET /logs?entity_type=proxy')).status).to.equal(200);
  });

  it('are kept for as long as the operator says', async () => {
    const config = await newInstallation();
    await using short = await startTestApi(undefined, {
      ...config,
      logRetention: { days: 30, intervalMs: 10 },
    });
    const url = config.databaseUrl.reveal();
    const add = (age: string, id: string) =>
      inDatabase(
        url,
        `INSERT INTO logs (at, tenant_id, operation, entity_type, entity_id)
         VALUES (now() - interval '${age}', '${short.tenant.id}', 'create', 'proxy', '${id}')`,
      );
    await add('29 days', 'young');
    await add('31 days', 'old');
    const ids = async () =>
      ((await short.send('GET /logs?entity_type=proxy')).body as unknown as Logs).data.map(
        (log) => log.entity_id,
      );
    await until(10_000, async () => expect(await ids()).to.deep.equal(['young']));
  });
});

describe('two logs as one', () => {
  let api: TestApi;
  before(async () => {
    api = await startTestApi();
  });
  after(() => api[Symbol.asyncDispose]());

  /** The vault's log, from memory: what is tested is how two are put together. */
  const auditOf = (events: readonly LogEvent[]) => ({
    list: async (filter: LogFilter, after: { at: number; id: number }, limit: number) => {
      const isBehind = (event: LogEvent) =>
        event.at < after.at || (event.at === after.at && event.id < after.id);
      const within = (event: LogEvent) => event.at >= filter.from && event.at < filter.to;
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
    const audit = Array.from({ length: 75 }, (_, index): LogEvent => {
      const n = 75 - index;
      const event = { source: 'vault', entityType: 'token', entityId: `v${n}`, operation: 'read' } as const;
      return { ...event, at: start + Math.floor(n / 5), id: n, actorId: undefined, actorType: 'system' };
    });
    await using postgres = createPostgres({
      url: api.config.databaseUrl,
      maxConnections: 2,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
    const handler = listLogs({ postgres, audit: auditOf(audit) });
    const ask = async (query: string) => {
      const call = { principal: { tenantId }, query: new URLSearchParams(query), correlationId: '' };
      return (await handler(call as never)).body as unknown as Logs;
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
  });

  it('are not read to their depths by the number of a page', async () => {
    const audit = { list: async () => [], count: async () => 100_000 };
    const postgres = { query: async () => [] };
    const handler = listLogs({ postgres: postgres as never, audit });
    const ask = (query: string) =>
      handler({
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

describe('places in a log', () => {
  const place = fc.record({
    at: fc.integer({ min: 0, max: 3 }),
    source: fc.constantFrom<'control' | 'vault'>('control', 'vault'),
    id: fc.integer({ min: 1, max: 3 }),
  });

  it('are found again by their cursors, and nothing else is one', () => {
    fc.assert(
      fc.property(place, (one) => expect(decodeCursor(encodeCursor(one))).to.deep.equal(one) !== null),
    );
    fc.assert(
      fc.property(
        fc.string(),
        (text) => decodeCursor(Buffer.from(`${text}.9.x`).toString('base64url')) === undefined,
      ),
    );
  });

  it('go on in each source exactly behind themselves', () => {
    fc.assert(
      fc.property(place, place, (after, other) => {
        const { at, id } = behind(after, other.source);
        const isBehind = other.at < at || (other.at === at && other.id < id);
        expect(isBehind).to.equal(compare(after, other) < 0);
      }),
    );
  });

  it('are at moments that are read as they are shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000_000 }), (micros) => {
        expect(parseMoment(showMoment(micros))).to.equal(micros);
      }),
    );
    const noon = Date.parse('2026-03-01T12:00:00Z') * 1000;
    for (const text of [
      '2026-03-01T12:00:00Z',
      '2026-03-01t12:00:00z',
      '2026-03-01 12:00',
      '2026-03-01T14:00:00+02:00',
      '2026-03-01T14:00:00 02:00',
      '2026-03-01T07:30:00.000-0430',
    ]) {
      expect(parseMoment(text), text).to.equal(noon);
    }
    expect(parseMoment('2026-03-01')).to.equal(noon - 12 * 3_600_000_000);
    for (const text of [
      '',
      'x',
      '2026-02-30',
      '2026-13-01',
      '2026-03-01T25:00Z',
      '1969-12-31',
      '2026-03-01T12:00:00+15:00',
    ]) {
      expect(parseMoment(text), text).to.equal(undefined);
    }
  });
});
