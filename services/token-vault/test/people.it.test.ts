import { randomUUID } from 'node:crypto';

import { VaultServiceService } from '@glovebox/protos/vault/v1/vault';
import { redisNames } from '@glovebox/published/keys';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';

interface Shown {
  readonly id: string;
  readonly data?: unknown;
}

describe('tokens, as people see them', () => {
  let fixture: Fixture;
  let userId: string;
  const reason = 'the customer asked for it';

  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());
  beforeEach(() => {
    userId = randomUUID();
  });

  type Peer = Parameters<Fixture['vault']['as']>[0];
  const options = () => ({ deadline: Date.now() + 10_000, correlationId: 'c-people' });
  const person = () => ({ tenantId: fixture.tenantId, userId, clientAddress: '192.0.2.7' });
  const list = async (query: string, masks = true, peer: Peer = 'control-api') => {
    const request = { person: person(), masks, query };
    const method = VaultServiceService.listTokensForPerson;
    const { json } = await fixture.vault.as(peer).unary(method, request, options());
    return JSON.parse(json.toString()) as { data: Shown[]; pagination: { next?: string } };
  };
  const reveal = async (tokenId: string, why = reason, peer: Peer = 'control-api') => {
    const request = { person: person(), tokenId, reason: why };
    const { json } = await fixture.vault.as(peer).unary(VaultServiceService.revealToken, request, options());
    return JSON.parse(json.toString()) as Shown;
  };
  const below = (parent: string) =>
    fixture.vault
      .as('control-api')
      .unary(VaultServiceService.listContainers, { tenantId: fixture.tenantId, parent }, options());
  const audit = () => fixture.audit({ id: userId, key: '', tenantId: fixture.tenantId });

  it('are masked, or without data, and never in plain', async () => {
    const masked = await fixture.token(card, {
      mask: '{{ data.number | last4 }}',
      metadata: { who: userId },
    });
    const bare = await fixture.token('a secret of people', { metadata: { who: userId } });
    const byMetadata = `metadata.who=${userId}`;
    const shown = await list(byMetadata);
    expect(shown.data.map(({ id, data }) => [id, data])).to.deep.equal([
      [bare, undefined],
      [masked, '4242'],
    ]);
    const redacted = await list(byMetadata, false);
    expect(redacted.data.map(({ data }) => data)).to.deep.equal([undefined, undefined]);
    expect(JSON.stringify([shown, redacted])).not.to.match(/424242|a secret of people/);
    const rows = await audit();
    expect(rows.map(({ operation, purpose, view }) => [operation, purpose, view])).to.deep.equal([
      ['read', 'console', 'mask'],
      ['read', 'console', 'mask'],
      ['read', 'console', 'redact'],
      ['read', 'console', 'redact'],
    ]);
    expect(rows[0]).to.include({ correlation_id: 'c-people', client_address: '192.0.2.7', rule: null });
  });

  it('are found by id, container and fingerprint of their own tenant only, page by page', async () => {
    const container = `/${randomUUID()}/`;
    const ids = [];
    for (let n = 0; n < 3; n += 1)
      ids.unshift(await fixture.token(`${container}${n}`, { containers: [container] }));
    const first = await list(`container=${container}&size=2`);
    expect(first.data.map(({ id }) => id)).to.deep.equal(ids.slice(0, 2));
    const second = await list(`container=${container}&size=2&start=${first.pagination.next}`);
    expect(second.data.map(({ id }) => id)).to.deep.equal(ids.slice(2));
    expect((await list(`id=${ids[1]}`)).data).to.have.length(1);
    const foreigner = await fixture.foreigner();
    const foreign = (await fixture.gateway.create(foreigner, { type: 'token', data: 1 }))['id'] as string;
    expect((await list(`id=${foreign}`)).data).to.deep.equal([]);
    expect((await failureOf(reveal(foreign))).code).to.equal('not_found');
    expect((await failureOf(list('size=x'))).code).to.equal('invalid_argument');
  });

  it('have containers that are listed level by level, whatever their names sort like', async () => {
    const root = `/${randomUUID()}/`;
    for (const path of ['a/', 'a/x/', 'a_b/', 'a-b/c/', 'b/', 'b/deep/er/']) {
      await fixture.token(1, { containers: [root + path] });
    }
    const { containers, more } = await below(root);
    expect(containers.toSorted()).to.deep.equal(['a-b/', 'a/', 'a_b/', 'b/'].map((path) => root + path));
    expect(more).to.equal(false);
    expect((await below(`${root}b/`)).containers).to.deep.equal([`${root}b/deep/`]);
    expect((await below(`${root}b/deep/er/`)).containers).to.deep.equal([]);
    expect((await below('/')).containers).to.include(root);
    expect((await failureOf(below('no path'))).code).to.equal('invalid_argument');
  });

  it('are sealed by keys that are reported with their age and seals, and nothing else of them', async () => {
    await fixture.token('sealed');
    const reportOf = (tenantId: string) =>
      fixture.vault.as('control-api').unary(VaultServiceService.reportKeys, { tenantId }, options());
    const { dataKeys, indexKeys, mostSeals, dataRotation, indexRotation } = await reportOf(fixture.tenantId);
    expect([dataKeys.map(({ version }) => version), indexKeys.length]).to.deep.equal([[1], 1]);
    expect(dataKeys[0]?.seals).to.be.within(1, mostSeals);
    expect(dataKeys[0]?.createdMicros).to.be.within((Date.now() - 60_000) * 1000, Date.now() * 1000);
    expect([indexKeys[0]?.seals, dataRotation, indexRotation]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    await fixture.sql('INSERT INTO key_rotation (tenant_id, version, whole) VALUES ($1, 2, true)', [
      fixture.tenantId,
    ]);
    expect((await reportOf(fixture.tenantId)).dataRotation).to.equal(2);
    await fixture.sql('DELETE FROM key_rotation');
    expect((await reportOf(randomUUID())).dataKeys).to.deep.equal([]);
  });

  it('are revealed with a reason, which is in the log and in an event', async () => {
    const { publisher, tenantId } = fixture;
    await publisher.webhook(tenantId, ['token.revealed']);
    const id = await fixture.token({ big: 'revealed value' });
    expect((await reveal(id)).data).to.deep.equal({ big: 'revealed value' });
    const [row] = await audit();
    expect(row).to.include({
      operation: 'read',
      purpose: 'reveal',
      view: 'reveal',
      outcome: 'allowed',
      reason,
    });
    const request = {
      tenantId,
      entityType: 'token',
      entityId: id,
      fromMicros: 0,
      toMicros: 0,
      after: undefined,
      limit: 1,
      count: false,
      outcome: 'any',
    };
    const { events } = await fixture.vault
      .as('control-api')
      .unary(VaultServiceService.listAudit, request, options());
    expect(events[0]).to.include({ actorType: 'user', actorId: userId, purpose: 'reveal', reason });
    const stored = await fixture.sql<{ event: string }>('SELECT event FROM event_outbox');
    const inbox = await publisher.redis.lrange(redisNames(publisher.prefix).events, 0, -1);
    const emitted = [...stored.map(({ event }) => event), ...inbox].find((text) => text.includes(id)) ?? '';
    expect(emitted).to.contain('token.revealed').and.to.contain(reason).and.to.contain('"user"');
    expect(emitted).not.to.contain('revealed value');
  });

  it('are not revealed without a reason, to other services, or more than a few in an hour', async () => {
    const id = await fixture.token('kept');
    for (const why of ['', '   short    ', 'x'.repeat(201)]) {
      expect((await failureOf(reveal(id, why))).code).to.equal('invalid_argument');
    }
    for (const peer of ['proxy-gateway', 'reactor-runner', 'stranger'] as const) {
      expect((await failureOf(reveal(id, reason, peer))).code).to.equal('internal');
      expect((await failureOf(list('', true, peer))).code).to.equal('internal');
    }
    expect(await audit()).to.deep.equal([]);
    await fixture.sql(
      `INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, reason, purpose)
       SELECT $1, $2, 'read', $3, 'allowed', 'x', 'reveal' 
         FROM generate_series(1, 57 - (SELECT count(*) FROM audit WHERE purpose = 'reveal' AND outcome = 'allowed'))`,
      [fixture.tenantId, randomUUID(), id],
    );
    // Those who ask at the same time count each other.
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => reveal(id)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).to.have.length(3);
    expect((await failureOf(reveal(id))).code).to.equal('rate_limited');
    const refused = (await audit()).find(({ outcome }) => outcome === 'denied');
    expect(refused).to.include({ reason: 'reveal_limit' });
  });
});
