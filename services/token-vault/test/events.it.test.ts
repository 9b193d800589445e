import { setTimeout as wait } from 'node:timers/promises';

import { EventInbox } from '@glovebox/published/event-inbox';
import { redisNames } from '@glovebox/published/keys';
import { defaultInboxRoom } from '@glovebox/published/waiting-events';
import { type EventBody, type WebhookEvent, webhookEvents } from '@glovebox/published/webhook-events';
import { expect } from 'chai';

import { codeOf } from './harness/failure.ts';
import { Fixture, card, ownerRule } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

const canary = 'canary-2b9f0c71';

/** docs/adr/0036. */
describe('events of tokens and sessions', () => {
  let fixture: Fixture;
  let tenantId: string;
  let owner: TestApplication;
  before(async () => {
    fixture = await Fixture.start({ PURGE_INTERVAL_MS: '50', CVC_RETENTION_MS: '1500' });
  });
  after(() => fixture[Symbol.asyncDispose]());
  beforeEach(async () => {
    tenantId = await fixture.publisher.tenant();
    owner = await fixture.publisher.application({ tenantId, rules: [ownerRule] });
    await fixture.publisher.redis.del(names().events, names().eventsTaken);
    waiting = [];
  });

  const names = () => redisNames(fixture.publisher.prefix);
  /** What has come, and of it what `next` has not given. */
  const seen: EventBody[] = [];
  let waiting: EventBody[] = [];
  /** The next events of the tenant, or of a type, in the order in which they came. */
  const next = async (count: number, ofType?: WebhookEvent): Promise<EventBody[]> => {
    const inbox = new EventInbox(fixture.publisher.redis, names());
    const wantedOnes = () => waiting.filter(({ type }) => ofType === undefined || type === ofType);
    for (const deadline = Date.now() + 8000; wantedOnes().length < count; await wait(20)) {
      const taken = await inbox.take(100);
      await inbox.done(taken);
      const own = taken.map(({ event }) => event).filter(({ tenant_id }) => tenant_id === tenantId);
      waiting.push(...own);
      seen.push(...own);
      if (Date.now() > deadline) break;
    }
    const found = wantedOnes();
    expect(found.map(({ type }) => type)).to.have.length(count);
    waiting = waiting.filter((event) => !found.includes(event));
    return found;
  };
  const kept = async () => (await fixture.sql<{ event: string }>('SELECT event FROM event_outbox')).length;
  const wanted = (events: readonly string[] = webhookEvents) => fixture.publisher.webhook(tenantId, events);
  const create = (body: object, extras?: { correlationId: string }) =>
    fixture.gateway.create(owner, body, extras);

  it('say what became of a token, by whom, and nothing of its data', async () => {
    await wanted();
    const { gateway } = fixture;
    const body = {
      type: 'card',
      data: { ...card, holder: canary },
      mask: { note: `${canary} {{ data.number | last4 }}` },
      metadata: { order: '7' },
      containers: ['/pci/high/'],
      fingerprint_expression: '{{ data.number }}',
      search_indexes: ['{{ data.number }}'],
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
    const made = await create(body, { correlationId: 'order-7' });
    const id = String(made['id']);
    const [created] = await next(1, 'token.created');
    const actor = { id: owner.id, type: 'application' };
    const { data, mask, tenant_id, privacy, card: details, ...shown } = made;
    expect(created).to.include({ tenant_id, trace_id: 'order-7' });
    expect(created?.data).to.deep.include({ ...shown, actor });
    expect([data, mask, privacy, details].every((one) => one !== undefined)).to.equal(true);
    await gateway.update(owner, id, { metadata: { order: '8' } });
    const [updated] = await next(1, 'token.updated');
    expect(updated?.data).to.deep.include({ id, metadata: { order: '8' }, modified_by: owner.id, actor });
    await gateway.get(owner, id);
    await gateway.list(owner, `?id=${id}`);
    await gateway.use(owner, [id]);
    // The security code ends at any time after the creation.
    for (const event of await next(2, 'token.read'))
      expect(event).to.deep.include({ data: { id, type: 'card', actor } });
    const [property] = await next(1, 'token.property.expired');
    expect(property?.data).to.deep.equal({ id, property_name: 'cvc', actor: { type: 'system' } });
    await gateway.delete(owner, id);
    const [deleted] = await next(1, 'token.deleted');
    expect(deleted).to.deep.include({ data: { id, actor } });
    const text = JSON.stringify(seen);
    for (const secret of [canary, card.number]) expect(text).to.not.contain(secret);
    expect(await kept()).to.equal(0);
  });

  it('report that a token has expired, whether a round of removals or a new token finds it', async () => {
    await wanted(['token.expired']);
    const expires_at = new Date(Date.now() + 2000).toISOString();
    const tokens = await Promise.all([1, 2].map((data) => create({ type: 'token', data, expires_at })));
    const told = await next(2);
    expect(told.map(({ type, data }) => [type, data['id']])).to.have.deep.members(
      tokens.map(({ id }) => ['token.expired', id]),
    );
  });

  it('report each token of a request, and of none that was there or was refused', async () => {
    await wanted(['token.created']);
    await fixture.gateway.tokenize(owner, { a: 1, b: 'x' });
    await next(2);
    const equal = { type: 'token', data: canary, deduplicate_token: true };
    await create(equal);
    await create(equal);
    const stranger = await fixture.publisher.application({ tenantId, permissions: [] });
    expect(await codeOf(fixture.gateway.create(stranger, equal))).to.equal('permission_denied');
    expect(await codeOf(create({ type: 'none', data: 1 }))).to.equal('invalid_argument');
    const intent = Buffer.from(JSON.stringify({ type: 'token', data: canary }));
    await fixture.gateway.call(owner.key, { $case: 'createTokenIntent', value: { body: intent } });
    const extras = { correlationId: 'x', idempotencyKey: 'once' };
    await fixture.gateway.create(owner, { type: 'token', data: 1 }, extras);
    await fixture.gateway.create(owner, { type: 'token', data: 1 }, extras);
    await create({ type: 'token', data: 'last' }, { correlationId: 'last' });
    expect((await next(3)).at(-1)?.trace_id).to.equal('last');
  });

  it('report sessions, without key and nonce, and name the session in what it does', async () => {
    await wanted();
    const type = 'public';
    const maker = await fixture.publisher.application({ tenantId, type, permissions: ['token:create'] });
    const session = await fixture.gateway.createSession(maker);
    const [created] = await next(1);
    expect(created).to.deep.include({ type: 'session.created' });
    expect(created?.data).to.deep.include({
      application: { id: maker.id },
      expires_at: session.expires_at,
      actor: { id: maker.id, type: 'application' },
    });
    await fixture.gateway.authorizeSession(owner, { nonce: session.nonce, permissions: ['token:create'] });
    const [authorized] = await next(1);
    expect(authorized?.type).to.equal('session.authorized');
    expect(authorized?.data).to.deep.include({ id: created?.data['id'], permissions: ['token:create'] });
    const as = { ...owner, key: session.session_key };
    while ((await codeOf(fixture.gateway.create(as, { type: 'token', data: 1 }))) !== 'ok') await wait(5);
    const [made] = await next(1);
    expect(made?.data.actor).to.deep.equal({ id: created?.data['id'], type: 'session' });
    const text = JSON.stringify(seen);
    for (const secret of [session.session_key, session.nonce]) expect(text).to.not.contain(secret);
  });

  it('leave out metadata that would make them too long', async () => {
    await wanted(['token.created']);
    const metadata = { a: 'é'.repeat(255), b: 'é'.repeat(255) };
    await create({ type: 'token', data: 1, metadata });
    await create({ type: 'token', data: 1, metadata: { a: 'é'.repeat(500) } });
    const [long, short] = await next(2);
    expect(long?.data).to.have.any.keys('containers').and.not.have.any.keys('metadata');
    expect(short?.data).to.have.any.keys('metadata');
  });

  it('leave nothing of a tenant that does not want them', async () => {
    await fixture.publisher.webhook(tenantId, ['reactor.completed']);
    const { id } = await create({ type: 'token', data: 1 });
    await fixture.gateway.get(owner, String(id));
    expect(await kept()).to.equal(0);
    await wanted(['token.deleted']);
    await fixture.gateway.delete(owner, String(id));
    expect((await next(1)).map(({ type }) => type)).to.deep.equal(['token.deleted']);
  });

  it('wait in the database while there is no room, and outlive the vault', async () => {
    await wanted(['token.created', 'token.read']);
    const { redis } = fixture.publisher;
    const { events } = names();
    await redis.rpush(events, ...Array.from({ length: defaultInboxRoom }, String));
    await using other = await fixture.anotherVault();
    const { id } = await other.gateway.create(owner, { type: 'token', data: 1 });
    await other.gateway.get(owner, String(id));
    await other[Symbol.asyncDispose]();
    expect(await kept()).to.equal(1);
    expect(await redis.llen(events)).to.equal(defaultInboxRoom);
    await redis.del(events);
    const [created] = await next(1);
    expect(created).to.deep.include({ type: 'token.created' });
    expect(created?.data['id']).to.equal(id);
    expect(await kept()).to.equal(0);
  });
});
