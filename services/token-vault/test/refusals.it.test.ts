import { type ListAuditRequest, UsePurpose, VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { recordedRefusals } from '../src/store/audit-log.ts';
import { codeOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

describe('the audit log of what was refused', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const list = async (wish: Partial<ListAuditRequest>) => {
    const everything = { entityType: '', entityId: '', fromMicros: 0, toMicros: 0, after: undefined };
    const span = { limit: 1000, count: true, tenantId: fixture.tenantId, outcome: 'denied' };
    const { events, total } = await fixture.vault
      .as('control-api')
      .unary(
        VaultServiceService.listAudit,
        { ...everything, ...span, ...wish },
        { deadline: Date.now() + 10_000, safe: true, correlationId: 'test' },
      );
    expect(total).to.equal(events.length);
    return events;
  };

  const everyRefusal = (by: TestApplication, id: string) => {
    const { gateway } = fixture;
    const detokenize = { purpose: UsePurpose.USE_PURPOSE_DETOKENIZE };
    return [
      () => gateway.use(by, [id]),
      () => gateway.use(by, [id], {}, detokenize),
      () => gateway.get(by, id),
      () => gateway.update(by, id, { data: 1 }),
      () => gateway.delete(by, id),
    ];
  };
  const operations = ['use', 'read', 'read', 'update', 'delete'];
  const all = ['token:use', 'token:read', 'token:update', 'token:delete'];

  const refused: [who: string, caller: () => Promise<TestApplication>, reason: string][] = [
    ['who holds nothing of the kind', () => fixture.application(['token:create']), 'not_held'],
    [
      'who holds it elsewhere',
      () => fixture.application([], [{ container: '/x/', transform: 'reveal', permissions: all }]),
      'outside_scope',
    ],
  ];
  for (const [who, caller, reason] of refused) {
    it(`names the token, the operation and the reason to its tenant: ${who}`, async () => {
      const by = await caller();
      const id = await fixture.token('hidden from some', { containers: ['/closed/'] });
      for (const attempt of everyRefusal(by, id)) {
        expect(await codeOf(attempt())).to.equal('permission_denied');
      }
      const events = await list({ entityId: id });
      const common = { actorId: by.id, actorType: 'application', entityType: 'token', entityId: id };
      for (const event of events) expect(event).to.include({ ...common, outcome: 'denied', reason });
      expect(events.map(({ operation }) => operation)).to.have.members(operations);
      expect(events.map(({ purpose }) => purpose)).to.include.members(['proxy', 'detokenize']);
      expect(JSON.stringify(events)).not.to.include('hidden from some');
      expect(await list({ entityId: id, outcome: 'allowed' })).to.have.length(1);
      expect(await list({ entityId: id, outcome: 'any' })).to.have.length(6);
      expect(await list({ entityId: id, outcome: '' })).to.have.length(1);
    });
  }

  it('names each token of a refused request that was denied, and tells why a mask was refused', async () => {
    const by = await fixture.application(['token:update']);
    const [one, two] = [await fixture.token('one'), await fixture.token('two')];
    await codeOf(fixture.gateway.use(by, [one, two, 'no such token']));
    await codeOf(fixture.gateway.associate(by, one, two));
    await codeOf(fixture.gateway.update(by, one, { mask: '{{ data }}' }));
    const told = async (id: string) =>
      (await list({ entityId: id })).map(({ operation, reason }) => `${operation}: ${reason}`);
    expect(await told(two)).to.deep.equal(['read: not_held', 'use: not_held']);
    expect(await told(one)).to.deep.equal(['update: without_plaintext', 'read: not_held', 'use: not_held']);
    expect(await list({ entityId: 'no such token' })).to.deep.equal([]);
  });

  it('names no token of another tenant, to either tenant, and none that is not there', async () => {
    const id = await fixture.token('of one tenant');
    const tenantId = await fixture.publisher.tenant();
    const able = await fixture.publisher.application({ tenantId, permissions: all });
    const unable = await fixture.publisher.application({ tenantId, permissions: ['token:create'] });
    const unknown = '4242424242424242';
    for (const by of [able, unable]) {
      for (const wanted of [id, unknown]) {
        for (const attempt of everyRefusal(by, wanted)) expect(await codeOf(attempt())).not.to.equal('ok');
      }
    }
    expect(await list({ tenantId })).to.deep.equal([]);
    expect(await list({ entityId: id })).to.deep.equal([]);
    const rows = await fixture.sql('SELECT token_id FROM audit WHERE tenant_id = $1', [tenantId]);
    expect(rows).to.have.length(20);
    expect(new Set(rows.map((row) => row['token_id'] as unknown))).to.deep.equal(new Set([null]));
  });

  it('does not grow without end by one application that is refused without end', async () => {
    const { gateway } = fixture;
    const id = await fixture.token('kept apart', { containers: ['/closed/'] });
    const open = await fixture.token('used', { containers: ['/open/'] });
    const rules = [{ container: '/open/', transform: 'reveal', permissions: ['token:use'] }];
    const [noisy, other] = [await fixture.application([], rules), await fixture.application([], rules)];
    const before = async (application: TestApplication, count: number, age: string) =>
      fixture.sql(
        `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, reason, at)
         SELECT $1, $2, 'use', $3, 'denied', 'outside_scope', now() - $5::interval FROM generate_series(1, $4)`,
        [fixture.tenantId, application.id, id, count, age],
      );
    const written = async (application: TestApplication) =>
      (await fixture.audit(application)).filter(({ correlation_id }) => correlation_id !== null);
    await before(noisy, recordedRefusals, '61 seconds');
    expect(await codeOf(gateway.use(noisy, [id]))).to.equal('permission_denied');
    expect(await written(noisy)).to.have.length(1);
    await before(noisy, recordedRefusals, '1 second');
    for (const attempt of [() => gateway.use(noisy, [id]), () => gateway.delete(noisy, id)]) {
      expect(await codeOf(attempt())).to.equal('permission_denied');
    }
    expect(await written(noisy)).to.have.length(1);
    expect(await gateway.use(noisy, [open])).to.deep.equal(['used']);
    expect((await written(noisy)).at(-1)).to.include({ outcome: 'allowed', token_id: open });
    await codeOf(gateway.use(other, [id]));
    expect(await written(other)).to.have.length(1);
    const together = [gateway.use(noisy, [id]), gateway.use(noisy, [open]), gateway.use(other, [id])];
    expect(await Promise.all(together.map(codeOf))).to.deep.equal([
      'permission_denied',
      'ok',
      'permission_denied',
    ]);
    expect(await written(noisy)).to.have.length(3);
    expect(await written(other)).to.have.length(2);
  });

  it('is not counted among what was done', async () => {
    const tenantId = await fixture.publisher.tenant();
    const by = await fixture.publisher.application({ tenantId, permissions: ['token:create'] });
    const id = String((await fixture.gateway.create(by, { type: 'token', data: 1 }))['id']);
    await codeOf(fixture.gateway.get(by, id));
    const { operations } = await fixture.vault
      .as('control-api')
      .unary(
        VaultServiceService.reportOperations,
        { tenantId },
        { deadline: Date.now() + 10_000, safe: true, correlationId: 'test' },
      );
    expect(operations.map(({ operation, count }) => [operation, count])).to.deep.equal([['create', 1]]);
  });
});
