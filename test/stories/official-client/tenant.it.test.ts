import { expect } from 'chai';

import { anotherTenant } from '../../harness/another-tenant.ts';
import type { Json } from '../../harness/api.ts';
import { describeOfficialClient, refusal } from '../../harness/official-client.ts';
import { type System, sharedSystem } from '../../harness/system.ts';
import { until } from '../../harness/until.ts';

describeOfficialClient('the tenant and its applications', ({ major, connect }) => {
  let system: System;
  let owner: Json;
  let bt: Json;
  before(async () => {
    system = await sharedSystem();
    owner = await connect(system, system.dev.management_api_key);
    bt = await connect(system, system.dev.private_api_key);
  });

  const model = { name: `application of client ${major}`, type: 'private', permissions: ['token:read'] };

  it('creates, reads, lists, changes and deletes applications', async () => {
    const made = await owner.applications.create(model);
    expect(made).to.deep.include({ ...model, tenantId: system.dev.tenant_id });
    expect(made.key).to.match(/^key_/);
    expect(await owner.applications.retrieve(made.id))
      .to.include({ id: made.id })
      .and.to.not.have.property('key');
    const own = await connect(system, made.key);
    expect(await own.applications.retrieveByKey()).to.include({ id: made.id, name: model.name });
    const page = await owner.applications.list({ id: [made.id], page: 1, size: 10 });
    expect(page.data.map(({ id }: Json) => id)).to.deep.equal([made.id]);
    const rules = [
      { description: 'all', priority: 1, container: '/', transform: 'mask', permissions: ['token:read'] },
    ];
    const changed = await owner.applications.update(made.id, { name: 'other', permissions: [], rules });
    expect(changed).to.deep.include({ id: made.id, name: 'other', rules });
    await owner.applications.delete(made.id);
    expect((await refusal(owner.applications.retrieve(made.id))).status).to.equal(404);
    expect((await refusal(own.applications.retrieveByKey())).status).to.equal(401);
  });

  it('gives an application another key, and the old one is dead', async () => {
    const made = await owner.applications.create(model);
    const { key } = await owner.applications.regenerateKey(made.id);
    expect(key).to.match(/^key_/).and.to.not.equal(made.key);
    expect((await refusal(owner.applications.retrieveByKey({ apiKey: made.key }))).status).to.equal(401);
    expect((await owner.applications.retrieveByKey({ apiKey: key })).id).to.equal(made.id);
  });

  it('makes applications that expire, by one that may', async () => {
    const maker = await owner.applications.create({ ...model, canCreateExpiringApplications: true });
    expect(maker).to.include({ canCreateExpiringApplications: true });
    const its = await connect(system, maker.key);
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const conditions = [{ attribute: 'id', operator: 'equals', value: 'one' }];
    const rules = [
      { description: 'one', priority: 1, conditions, transform: 'mask', permissions: ['token:read'] },
    ];
    const made = await its.applications.create({ name: 'soon gone', type: 'expiring', rules, expiresAt });
    expect(made).to.deep.include({ type: 'expiring', rules, expiresAt });
    expect((await its.applications.retrieveByKey({ apiKey: made.key })).id).to.equal(made.id);
    const more = { name: 'too much', type: 'expiring', rules: [{ ...rules[0], transform: 'reveal' }] };
    expect((await refusal(its.applications.create(more))).status).to.equal(403);
  });

  it('knows the permissions of a kind of application', async () => {
    const all = await owner.permissions.list({ applicationType: 'public' });
    const types = all.map(({ type }: Json) => type);
    // The first line of the client asks for all of them, whatever it is told.
    if (major === 1) expect(types).to.include.members(['token:use', 'proxy:create', 'tenant:read']);
    else expect(types).to.have.members(['token:create', 'token:update']);
    expect(all[0]).to.have.all.keys('type', 'description', 'applicationTypes');
  });

  it('reads and changes the tenant', async () => {
    const other = await anotherTenant(system, `of client ${major}`);
    const its = await connect(system, other.management_api_key);
    expect(await its.tenants.retrieve()).to.include({ id: other.tenant_id, name: `of client ${major}` });
    const changed = await its.tenants.update({ name: 'renamed', settings: { deduplicateTokens: 'true' } });
    expect(changed).to.deep.include({ name: 'renamed', settings: { deduplicateTokens: 'true' } });
    await its.tenants.delete();
    await until('its key is dead', async () => (await refusal(its.tenants.retrieve())).status === 401);
  });

  it('reports what the tenant has', async () => {
    await bt.tokens.create({ type: 'token', data: 'x' });
    const report = await owner.tenants.retrieveUsageReport();
    expect(report.tokenReport.metricsByType.token.count).to.be.greaterThan(0);
    expect(report.tokenReport.monthlyActiveTokens).to.be.greaterThan(0);
  });

  it('invites people, and knows the members', async () => {
    const email = `someone-${major}-${Date.now()}@example.com`;
    const made = await owner.tenants.createInvitation({ email });
    expect(made).to.include({ email, status: 'PENDING', tenantId: system.dev.tenant_id });
    const resent = await owner.tenants.resendInvitation(made.id);
    expect(Date.parse(resent.expiresAt)).to.be.at.least(Date.parse(made.expiresAt));
    const pending = await owner.tenants.listInvitations({ status: 'PENDING', page: 1, size: 100 });
    expect(pending.data.map(({ id }: Json) => id)).to.include(made.id);
    expect(await owner.tenants.retrieveInvitation(made.id)).to.include({ id: made.id, email });
    await owner.tenants.deleteInvitation(made.id);
    expect((await refusal(owner.tenants.retrieveInvitation(made.id))).status).to.equal(404);
    const members = await owner.tenants.listMembers({ page: 1, size: 10 });
    expect(members.data.map(({ role }: Json) => role)).to.deep.equal(['OWNER']);
    const listed = await owner.tenants.listMembers({ userId: members.data[0].user.id });
    expect(listed.data).to.have.length(1);
    expect((await refusal(owner.tenants.deleteMember(members.data[0].id))).status).to.equal(422);
  });

  it('lists who did what', async () => {
    const { id } = await bt.tokens.create({ type: 'token', data: 'x' });
    await bt.tokens.retrieve(id);
    const operations = async () => {
      const page = await owner.logs.list({ entityType: 'token', entityId: id, page: 1, size: 10 });
      return page.data.map(({ operation }: Json) => operation);
    };
    await until('both are told', async () => (await operations()).length >= 2);
    expect(await operations()).to.deep.equal(['read', 'create']);
    const { data, pagination } = await owner.logs.list({
      startDate: new Date(Date.now() - 60_000).toISOString(),
      size: 1,
    });
    expect(data).to.have.length(1);
    expect(data[0]).to.include({ tenantId: system.dev.tenant_id, actorType: 'application' });
    expect(pagination.pageSize).to.equal(1);
  });

  it('opens a session for a browser, which can do what it is authorized for', async () => {
    const publicClient = await connect(system, system.dev.public_api_key);
    const { sessionKey, nonce, expiresAt } = await publicClient.sessions.create();
    expect(Date.parse(expiresAt)).to.be.greaterThan(Date.now());
    const { id } = await bt.tokens.create({ type: 'token', data: 'for the session' });
    expect((await refusal(bt.tokens.retrieve(id, { apiKey: sessionKey }))).status).to.be.oneOf([401, 403]);
    const rules = [
      { description: 'one', priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] },
    ];
    await bt.sessions.authorize({ nonce, rules });
    expect((await bt.tokens.retrieve(id, { apiKey: sessionKey })).data).to.equal('for the session');
    expect((await refusal(bt.sessions.authorize({ nonce, rules }))).status).to.equal(409);
  });

  if (major === 4) {
    it('gives an application further keys', async () => {
      const { id } = await owner.applications.create(model);
      const made = await owner.applicationKeys.create(id);
      expect(made.key).to.match(/^key_/);
      expect((await owner.applications.retrieveByKey({ apiKey: made.key })).id).to.equal(id);
      const keys = await owner.applicationKeys.get(id);
      expect(keys).to.have.length(2);
      expect(keys.map((one: Json) => one.id)).to.include(made.id);
      expect(await owner.applicationKeys.getById(id, made.id))
        .to.include({ id: made.id })
        .and.to.not.have.property('key');
      await owner.applicationKeys.delete(id, made.id);
      expect((await refusal(owner.applications.retrieveByKey({ apiKey: made.key }))).status).to.equal(401);
    });

    it('knows templates of applications', async () => {
      const [first] = await owner.applicationTemplates.list();
      expect(first).to.include.keys('id', 'name', 'applicationType', 'templateType', 'isStarter');
      expect(await owner.applicationTemplates.retrieve(first.id)).to.deep.equal(first);
    });

    it('makes token intents, and takes them back', async () => {
      const intent = await bt.tokenIntents.create({ type: 'token', data: 'soon gone' });
      expect(intent)
        .to.include({ type: 'token', tenantId: system.dev.tenant_id })
        .and.to.not.have.property('data');
      expect(Date.parse(intent.expiresAt)).to.be.greaterThan(Date.now());
      await bt.tokenIntents.delete(intent.id);
      expect((await refusal(bt.tokenIntents.delete(intent.id))).status).to.equal(404);
    });
  }
});
