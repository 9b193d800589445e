import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { purgeTraffic } from '../src/store/traffic.ts';
import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';
import { withClient } from './harness/servers.ts';

describe('the traffic of a tenant', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  type Peer = Parameters<Fixture['vault']['as']>[0];
  const options = () => ({ deadline: Date.now() + 10_000, correlationId: 'c-traffic' });
  const list = (tenantId: string, stepSeconds = 300, fromMicros = 0) =>
    fixture.vault
      .as('control-api')
      .unary(VaultServiceService.listTraffic, { tenantId, stepSeconds, fromMicros }, options());
  const countsOf = (tenantId: string) => ({
    tenantId,
    requests: 1,
    errors: 0,
    refused: 0,
    killed: 0,
    durations: [1],
  });
  const report = (
    tenantIds: readonly string[],
    peer: Peer = 'proxy-gateway',
    more: Partial<ReturnType<typeof countsOf>> = {},
  ) => {
    const tenants = tenantIds.map((tenantId) => ({ ...countsOf(tenantId), ...more }));
    return fixture.vault.as(peer).unary(VaultServiceService.reportTraffic, { tenants }, options());
  };
  /** As if it were so many days later. */
  const purge = (days: number) =>
    withClient(fixture.ground.databaseUrl, (client) =>
      purgeTraffic(
        {
          query: async (_name, text, values) => (await client.query(text, [...(values ?? [])])).rows,
        } as Queryable,
        new Date(Date.now() + days * 24 * 60 * 60_000),
      ),
    );

  it('is what several services have counted, added up by tenant, step and class of duration', async () => {
    const [tenantId, other] = [randomUUID(), randomUUID()];
    await report([tenantId, other]);
    await report([tenantId]);
    await report([tenantId], 'reactor-runner', { errors: 2, refused: 3, killed: 4, durations: [0, 0, 5] });
    for (const step of [300, 3600]) {
      const { points } = await list(tenantId, step);
      const sum = (of: (point: (typeof points)[number]) => number) =>
        points.reduce((total, point) => total + of(point), 0);
      const counts = [
        sum((p) => p.requests),
        sum((p) => p.errors),
        sum((p) => p.refused),
        sum((p) => p.killed),
      ];
      expect(counts).to.deep.equal([3, 2, 3, 4]);
      expect([0, 1, 2].map((at) => sum((p) => p.durations[at] ?? 0))).to.deep.equal([2, 0, 5]);
      for (const { atMicros } of points) expect(atMicros % (step * 1_000_000)).to.equal(0);
    }
    expect((await list(other)).points.map(({ requests }) => requests)).to.deep.equal([1]);
  });

  it('has the leaks of the audit log, also of steps without requests', async () => {
    const { points: before } = await list(fixture.tenantId);
    expect(before).to.deep.equal([]);
    await fixture.sql(
      `INSERT INTO audit (tenant_id, operation, outcome, reason, purpose, purpose_id, count)
       VALUES ($1, 'leak_proxy', 'allowed', 'report', 'leak', '-', 4), ($1, 'leak_proxy', 'allowed', 'report', 'leak', '-', NULL)`,
      [fixture.tenantId],
    );
    const { points } = await list(fixture.tenantId);
    expect(points.reduce((total, { leaks }) => total + leaks, 0)).to.equal(5);
    expect(points.every(({ requests }) => requests === 0)).to.equal(true);
  });

  it('is kept for two days in steps of five minutes, and for 30 in hours', async () => {
    const tenantId = randomUUID();
    await report([tenantId]);
    await purge(1.9);
    expect((await list(tenantId, 300)).points).to.have.length(1);
    await purge(3);
    expect((await list(tenantId, 300)).points).to.deep.equal([]);
    expect((await list(tenantId, 3600)).points).to.have.length(1);
    await purge(31);
    expect((await list(tenantId, 3600)).points).to.deep.equal([]);
  });

  it('is added to by gateways and runners only, and by nothing that is not in order', async () => {
    const tenantId = randomUUID();
    for (const wrong of [['x'], [tenantId, tenantId], Array.from({ length: 1001 }, () => randomUUID())]) {
      expect((await failureOf(report(wrong))).code).to.equal('invalid_argument');
    }
    for (const peer of ['control-api', 'stranger'] as const) {
      expect((await failureOf(report([tenantId], peer))).code).to.equal('internal');
    }
    expect((await failureOf(list(tenantId, 60))).code).to.equal('invalid_argument');
    expect((await list(tenantId)).points).to.deep.equal([]);
  });
});
