import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { type TestApi, startTestApi } from './harness/api.ts';
import type { Log, Logs } from './harness/logs.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';
import { type TestVault, startVault } from './harness/vault.ts';

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
    const { data } = await list(`?entity_id=${id}`);
    for (const { trace_id, client_address } of data) {
      expect(trace_id).to.be.a('string');
      expect(client_address).to.equal('127.0.0.1');
    }
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
    const { data } = await list('?size=1000');
    expect(new Set(data.map(({ outcome }) => outcome))).to.deep.equal(new Set(['allowed']));
    expect((await list('?outcome=denied')).data).to.deep.equal([]);
    expect((await list('?outcome=allowed')).pagination.total_items).to.equal(before);
  });

  it('are written with what they tell, or it does not happen', async () => {
    const url = api.config.databaseUrl.reveal();
    await inDatabase(url, 'ALTER TABLE logs RENAME TO logs_away');
    try {
      const body = { name: 'unlogged', destination_url: 'https://example.com' };
      expect((await api.send('POST /proxies', { body })).status).to.be.at.least(500);
      expect((await api.send('DELETE /tenants/self')).status).to.be.at.least(500);
    } finally {
      await inDatabase(url, 'ALTER TABLE logs_away RENAME TO logs');
    }
    expect((await api.send('GET /proxies?name=unlogged')).body.data).to.deep.equal([]);
  });

  it('are those of the caller’s tenant, for callers who may read them', async () => {
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
    'outcome=refused',
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
    expect(body).to.deep.include({ display_name: 'Egress', value: 'egress' });
    expect(body).to.deep.include({ display_name: 'Leak', value: 'leak' });
    expect(body).to.have.length(13);
  });

  it('are shown whole or not at all: without the vault they are a 503, and what it does not keep goes on', async () => {
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
    await until(20_000, async () => expect(await ids()).to.deep.equal(['young']));
  });
});
